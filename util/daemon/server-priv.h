/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAEMON_SERVER_PRIV_H
#define DAEMON_SERVER_PRIV_H
// What server.c has from crew.c: the sessions of a daemon as a whole.
#include "util/daemon/server.h"

#define CREW_ANSWER_NS (5 * NSEC_PER_SEC)	/* for pings, and at the start */
#define CREW_END_NS (10 * NSEC_PER_SEC)		/* then they are killed */

/* A line of the log. */
void daemon_log(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Waits for an end of a session, a signal, and (serves) a connection or a changed file, or else
 * an answer of those that are awaited. until_ns: of os_now_ns(), 0: no limit. */
void crew_wait(struct daemon *d, bool serves, u64 until_ns);
/* Notes which ones have ended. */
void crew_reap(struct daemon *d);
/* Pings those of that name ("": all) and waits for their answers: answered says who did. */
void crew_ping(struct daemon *d, const char *name);
/* Ends those that are marked as ending. */
void crew_end(struct daemon *d);
/* Runs what the plan has, and ends what it has no more. */
void crew_follow(struct daemon *d, const struct daemon_plan *plan);

#endif
