/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_WAITING_H
#define OS_WAITING_H
/*
 * Waiting for whatever comes first: an end of a process, a signal of the user, a point in time. Signals come through a
 * signalfd, so there is no handler, no global state and no race. One owner; one at a time in a process.
 */
#include <signal.h>

#include "util/os/os.h"

struct waiter {
	int signal_fd;
	int signal;		/* the last one that came, 0 while none */
	bool sent;		/* by kill(2), not by the terminal: a workload did not get it */
	sigset_t before;	/* the mask to restore */
	VEC(int) pids;		/* pidfds of what is watched; closed when ended */
	int_vec polled;		/* threads without a pidfd */
	int event_fd;		/* of the owner: its becoming readable ends a wait, too; -1: none */
	bool active;
};

enum wait_result { WAIT_TIME, WAIT_ENDED, WAIT_SIGNAL, WAIT_EVENT };

/* From here on the signals of io_end_signals(), and USR2, only end a wait. */
int waiter_init(struct waiter *w, struct err *err);
/* WAIT_ENDED comes when all watched processes or threads ended. */
void waiter_watch(struct waiter *w, pid_t pid);
void waiter_unwatch(struct waiter *w);
/* until_ns: of os_now_ns(), 0: no limit. */
enum wait_result waiter_wait(struct waiter *w, const struct os *os, u64 until_ns);
void waiter_release(struct waiter *w);		/* the signals act again; those not yet seen are delivered */

#endif
