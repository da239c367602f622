/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_WAIT_SET_H
#define OS_WAIT_SET_H
/*
 * Waiting for whatever comes first: an end of a process, a signal of the user, data on a
 * descriptor, a point in time. Signals come through a signalfd, so there is no handler, no global
 * state and no race. One owner; one at a time in a process.
 */
#include <poll.h>
#include <signal.h>

#include "util/os/os.h"

struct waiter {
	int signal_fd;
	int signal;		/* the last one that came, 0 while none */
	bool sent;		/* by kill(2), not by the terminal: a workload did not get it */
	/* set by the owner after the init: USR2 is a request, which ends nothing but a wait */
	bool usr2_asks;
	bool asked;		/* it came; the owner forgets it */
	sigset_t before;	/* the mask to restore */
	VEC(int) pids;		/* pidfds of what is watched; closed when ended */
	int_vec polled;		/* threads without a pidfd */
	VEC(struct pollfd) fds;	/* of the owner, who closes them; revents of the last wait */
	VEC(struct pollfd) scratch;
	bool active;
};

enum wait_result { WAIT_TIME, WAIT_ENDED, WAIT_SIGNAL, WAIT_EVENT };

/* From here on the signals of io_end_signals(), and USR2, only end a wait. WAIT_EVENT: of a
 * descriptor, or asked. */
int waiter_init(struct waiter *w, struct err *err);
/* One that sees no signals: for a thread beside the one that does, any number of them. */
void waiter_init_fds(struct waiter *w);
/* WAIT_ENDED comes when all watched processes or threads ended. */
void waiter_watch(struct waiter *w, pid_t pid);
void waiter_unwatch(struct waiter *w);
/* A descriptor of the owner: its becoming readable ends a wait (WAIT_EVENT). Returns its place;
 * fd -1: a place for later. */
size_t waiter_add(struct waiter *w, int fd);
/* Another descriptor for that place. True: it has hung up already. */
bool waiter_set(struct waiter *w, size_t place, int fd);
void waiter_cut(struct waiter *w, size_t n_places);	/* forgets those after the first n */
/* Of the last wait: there is data; nobody is at the other end any more (then it is not looked at
 * again). */
bool waiter_ready(const struct waiter *w, size_t place);
bool waiter_hung(const struct waiter *w, size_t place);
/* The first of two points in time, each 0: none. */
u64 wait_earlier(u64 a_ns, u64 b_ns);
/* All that came is known afterwards, whatever it returns. until_ns: of os_now_ns(), 0: no limit. */
enum wait_result waiter_wait(struct waiter *w, const struct os *os, u64 until_ns);
/* the signals act again; those not yet seen are delivered */
void waiter_release(struct waiter *w);

/* What one thread waits for until another one tells it: a descriptor, which is readable from the
 * ring to the answer. -errno. */
int wake_open(void);
void wake_ring(int fd);
void wake_answer(int fd);

#endif
