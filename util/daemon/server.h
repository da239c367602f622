/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAEMON_SERVER_H
#define DAEMON_SERVER_H
/*
 * The daemon: starts the sessions of a plan, and others when the plan's files change; answers what
 * the commands ask (talk.h); ends all of them when it ends. It logs to standard error. One owner;
 * one at a time in a process, as the waiter.
 */
#include "util/base/str.h"
#include "util/daemon/base.h"
#include "util/daemon/plan.h"
#include "util/daemon/session.h"
#include "util/os/file-watch.h"
#include "util/os/wait-set.h"

struct daemon_opts {
	const char *base;		/* borrowed, all of it */
	const char *const *files;	/* read by the plan, absolute; NULL-ended */
	/* Fills in the plan as the files have it now. */
	int (*load)(void *ctx, struct daemon_plan *plan, struct err *err);
	void *ctx;
};

struct daemon {
	const struct daemon_opts *o;	/* borrowed */
	struct os os;
	struct daemon_base base;
	struct file_watch watch;
	struct waiter waiter;
	int listen_fd;
	VEC(struct daemon_session) sessions;
	u64 started_ns;
	bool stop;
	int stop_fd;			/* who asked for it waits there; -1: nobody */
};

/* Takes the base: everything that can be wrong before a session runs. The lock and the socket are
 * shared with a child. */
int daemon_open(struct daemon *d, const struct daemon_opts *o, const struct daemon_plan *plan,
		struct err *err);
/* Starts the sessions, and waits until each of them answers or has ended, at most some seconds.
 * Texts, ended by NULs, of those that do not run. */
int daemon_begin(struct daemon *d, struct str *warnings, struct err *err);
/* Until it is asked to end. */
void daemon_serve(struct daemon *d);
/* Ends all sessions, then the daemon. Also after a daemon_open() that failed. */
void daemon_close(struct daemon *d);
/* In the process that only started it: leaves the base to the other one. */
void daemon_leave(struct daemon *d);

#endif
