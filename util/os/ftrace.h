/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_FTRACE_H
#define OS_FTRACE_H
/*
 * The kernel's function tracers, for one who leaves no trace. Where the tracer can run in an
 * instance (tracefs' instances/), it gets one of its own, which is removed at the end. Where it
 * cannot (function_graph before Linux 6.12), the main buffer is used: what is changed there is
 * noted in a file first, and put back at the end. What a killed perf has left is cleaned up by the
 * next ftrace_open(): locks, which die with their owner, tell. One owner.
 */
#include "util/os/os.h"

struct ftrace_saved { char *file, *text; };

struct ftrace {
	struct os *os;		/* borrowed; os_tracefs() found it */
	char *dir;		/* "instances/NAME/", or "" for the main buffer */
	bool main;
	int lock_fd, state_fd;	/* -1: none */
	VEC(struct ftrace_saved) saved;
};

/* Cleans up what others left, then makes the place for this tracer, which is off. needs: control
 * files that will be set; NULL ends them (instances do not have all). -ENOTSUP: there is no such
 * tracer, with the config option. -EBUSY: the main buffer is needed, and in use. On failure nothing
 * is left to close. */
int ftrace_open(struct ftrace *f, struct os *os, const char *tracer, const char *const *needs,
		struct err *err);
/* Writes to a control file ("tracing_on", "options/sleep-time"): add: after what is there.
 * -ENOENT: this kernel has no such file. */
int ftrace_set(struct ftrace *f, const char *file, const char *text, bool add, struct err *err);
bool ftrace_has(const struct ftrace *f, const char *file);
/* trace_pipe, which does not block; the caller closes it before ftrace_close(). -errno. */
int ftrace_pipe(const struct ftrace *f, struct err *err);
/* How many events were overwritten before they were read, of all CPUs. */
u64 ftrace_n_lost(const struct ftrace *f);
/* Everything as it was. The first failure. Safe on zero. */
int ftrace_close(struct ftrace *f, struct err *err);

#endif
