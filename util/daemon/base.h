/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAEMON_BASE_H
#define DAEMON_BASE_H
/*
 * The directory on which a daemon works, one at a time: lock (with the pid in it), control (the
 * socket), output, and session-NAME for each session.
 */
#include <sys/types.h>

#include "util/base/err.h"

#define DAEMON_SOCKET "control"

struct daemon_base {
	char *path;		/* absolute, owned */
	int lock_fd;		/* -1: not locked */
};

/* The directory must be there, and nobody else may write into it. */
int daemon_base_open(struct daemon_base *b, const char *path, struct err *err);
/* -EBUSY: a daemon works on it; the message has its pid. */
int daemon_base_lock(struct daemon_base *b, struct err *err);
/* The pid of this process, into the lock. */
void daemon_base_own(struct daemon_base *b);
void daemon_base_release(struct daemon_base *b);

/* Below the base (or a session's directory), where others can put nothing: a descriptor that
 * appends to that file, or -errno. */
int daemon_base_append(const char *directory, const char *name, struct err *err);

#endif
