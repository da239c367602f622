/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_RUN_H
#define OS_RUN_H
/*
 * Programs that perf runs for itself: the pager, man, tar, and perf again. (The command that is
 * measured is a workload.)
 */
#include <sys/types.h>

#include "util/base/err.h"
#include "util/base/str.h"

#define RUN_SELF "/proc/self/exe"	/* perf itself, as run_opts.file */

struct run_opts {
	const char *const *argv;	/* ended by NULL */
	const char *file;		/* NULL: argv[0], looked for in PATH */
	/* what it reads and writes; 0 or less: what perf does */
	int in_fd, out_fd, err_fd;
	const char *env;		/* "NAME=value", for it alone; NULL: nothing more */
	bool ignores_int;		/* Ctrl-C is for its pager */
	bool dies_with_us;		/* killed when perf ends, whatever ends perf */
};

/* Starts it. -errno when it cannot be executed. */
int run_start(const struct run_opts *o, pid_t *pid, struct err *err);
/* Waits for its end: the exit status, 128 + the signal that ended it. */
int run_wait(pid_t pid);
/* The same of a program that has the terminal: when it is stopped, the whole job is. */
int run_wait_job(pid_t pid);
/* Both. < 0: it did not run; else its exit status. */
int run_program(const struct run_opts *o, struct err *err);
/* The same with what it writes to standard output appended to out. */
int run_output(const struct run_opts *o, struct str *out, struct err *err);
/* Is there a program of that name (up to n characters) in PATH? */
bool run_is_there(const char *name, size_t n);
/* Where perf itself lies; empty: unknown. */
void run_self_path(struct str *out);

#endif
