/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAEMON_SESSION_H
#define DAEMON_SESSION_H
/*
 * One perf record that a daemon has started, in a directory of its own: output (what it says),
 * control and ack (its FIFOs). It and its command are a process group, which gets TERM when the
 * daemon is gone, too. One owner.
 */
#include <signal.h>

#include "util/base/err.h"
#include "util/base/str.h"

struct daemon_session {
	char *name, *run, *dir;		/* owned */
	pid_t pid;			/* 0: it does not run */
	pid_t group;			/* of it and its command; may outlive it; 0: none */
	int end_fd;			/* readable when it has ended; -1: ask it again */
	int control_fd, ack_fd;
	u64 started_ns;
	u64 output_off;			/* where its output begins in the file */
	int status;			/* of wait(2), of one that has ended */
	bool answers;			/* it has answered once: signals find it ready */
	bool awaited, ending;		/* the server's: a ping is on its way, it has got TERM */
};

/* One that does not run yet; name and run are copied. */
void daemon_session_init(struct daemon_session *s, const char *name, const char *run);
/* Makes the directory and what is in it, and starts it. */
int daemon_session_start(struct daemon_session *s, const char *base, const sigset_t *mask,
			 struct err *err);
/* Whether its perf has ended since the last call. If it was killed, or has got TERM, its command
 * and what that has started get TERM. */
bool daemon_session_ended(struct daemon_session *s);
/* Writes a ping; its answer, if there is one by then (bytes are taken). */
void daemon_session_ping(struct daemon_session *s);
bool daemon_session_answered(struct daemon_session *s);
/* Sends a signal to its perf. */
void daemon_session_signal(const struct daemon_session *s, int signal);
/* Whether anything of it is left: its perf, its command, or what that has started. */
bool daemon_session_lingers(struct daemon_session *s);
/* Ends all of that at once. */
void daemon_session_kill(struct daemon_session *s);
/* "exited, status=1", "killed (signal 9)". */
void daemon_session_end_text(const struct daemon_session *s, struct str *out);
/* What it has said since its start: the first lines, at most three, from an error on if there is
 * one. */
void daemon_session_words(const struct daemon_session *s, struct str *out);
void daemon_session_release(struct daemon_session *s);

#endif
