/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAEMON_TALK_H
#define DAEMON_TALK_H
/*
 * What the commands and the daemon say to each other: one message in each direction, of texts
 * that are ended by NULs, and the end of the file. A request is a verb and the name of a session
 * ("": all). An answer is rows of DAEMON_FIELDS texts, of which the first is the kind:
 *	daemon	pid	minutes	base	""
 *	session	pid	minutes	name	run
 *	ended	status	""	name	run
 *	signal	pid	""	name	""		it was sent
 *	ok	pid	""	name	""		it has answered the ping
 *	fail	""	""	name	reason
 *	error	""	""	message	hint
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/vec.h"

#define DAEMON_FIELDS 5

struct daemon_row { const char *kind, *number, *minutes, *name, *text; };
struct daemon_answer {
	struct str bytes;
	VEC(struct daemon_row) rows;	/* texts borrowed from the bytes */
};

/* Asks the daemon of that base. -ECONNREFUSED: there is none; -EPROTO: what came is no answer. */
int daemon_ask(const char *base, const char *verb, const char *session, struct daemon_answer *a,
	       struct err *err);
void daemon_answer_release(struct daemon_answer *a);

/* The daemon's side: a request of a connection, in bytes. */
int daemon_read_request(int fd, struct str *bytes, const char **verb, const char **session);
void daemon_add_row(struct str *answer, const struct daemon_row *row);

#endif
