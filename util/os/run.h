/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_RUN_H
#define OS_RUN_H
/*
 * Programs that perf runs for itself: the pager, man, tar, and perf again. (The command that is
 * measured is a workload.)
 */
#include <signal.h>
#include <sys/types.h>

#include "util/base/err.h"
#include "util/base/str.h"

#define RUN_SELF "/proc/self/exe"	/* perf itself, as run_opts.file */

struct run_opts {
	const char *const *argv;	/* ended by NULL */
	const char *file;		/* NULL: argv[0], looked for in PATH */
	/* what it reads and writes; 0 or less: what perf does */
	int in_fd, out_fd, err_fd;
	bool no_input;			/* it reads the end of a file at once */
	const char *env;		/* "NAME=value", for it alone; NULL: nothing more */
	bool ignores_int;		/* Ctrl-C is for its pager */
	bool dies_with_us;		/* killed when perf ends, whatever ends perf */
	int death_signal;		/* by this one; 0: KILL */
	const char *directory;		/* where it runs; NULL: where perf does */
	bool own_group;			/* a process group of its own: see run_end_group() */
	const sigset_t *mask;		/* the signals that it blocks; NULL: those that perf does */
};

/* Starts it. -errno when it cannot be executed. */
int run_start(const struct run_opts *o, pid_t *pid, struct err *err);
/* Waits for its end: the exit status, 128 + the signal that ended it. */
int run_wait(pid_t pid);
/* The same of a program that has the terminal: when it is stopped, the whole job is. */
int run_wait_job(pid_t pid);
/* A descriptor that can be polled: readable when it has ended. < 0: there is none. */
int run_watch(pid_t pid);
/* Has it ended? The status is that of wait(2); does not block, and true comes only once. */
bool run_ended(pid_t pid, int *status);
/* A signal to it alone; to the whole group that it began (own_group), which can outlive it. False:
 * there is nobody in it any more; signal 0 only asks. */
void run_signal(pid_t pid, int signal);
bool run_signal_group(pid_t pid, int signal);
/* Both. < 0: it did not run; else its exit status. */
int run_program(const struct run_opts *o, struct err *err);
/* The same with what it writes to standard output appended to out. */
int run_output(const struct run_opts *o, struct str *out, struct err *err);
/* Is there a program of that name (up to n characters) in PATH? */
bool run_is_there(const char *name, size_t n);
/* This process twice: here, and as one without a terminal. > 0: here, report_fd reads what the
 * other one writes to its own until it closes it; 0: that one; < 0: it could not be made. */
pid_t run_in_background(int *report_fd, struct err *err);
/* A child that runs fn, whose result is its exit status, until SIGTERM when this process ends.
 * *read_fd: what it writes to its descriptor; the caller closes. A SIGINT to this process alone is
 * handed on to it, and does nothing else here from now on. One at a time; run_beside_wait() is
 * due. */
int run_beside(int (*fn)(void *ctx, int write_fd), void *ctx, int *read_fd, struct err *err);
/* Its exit status, 128 + the signal that ended it; *interrupted: there was a SIGINT meanwhile. */
int run_beside_wait(bool *interrupted);
/* What a process that stays has no use for: descriptors from 3 on that its starter had open. Before
 * anything else is opened. */
void run_close_inherited(void);
/* Nothing to read, and what is printed goes to output_fd. */
void run_detach(int output_fd);
/* Where perf itself lies; empty: unknown. */
void run_self_path(struct str *out);

#endif
