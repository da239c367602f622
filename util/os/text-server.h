/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_TEXT_SERVER_H
#define OS_TEXT_SERVER_H
/*
 * One text, served by HTTP to whoever asks for it: the newest that was set. A thread answers, so
 * that slow readers keep nobody waiting; it knows GET and HEAD of one path, and closes a connection
 * after its answer, or after a few seconds. One owner.
 */
#include "util/base/err.h"
#include "util/base/types.h"

struct text_server;

struct text_server_opts {
	const char *address;		/* "127.0.0.1:9100", "[::1]:9100"; port 0: a free one */
	const char *path;		/* "/metrics" */
	const char *type;		/* the Content-Type */
};

/* Listens on that address alone. */
int text_server_start(struct text_server **out, const struct text_server_opts *o, struct err *err);
/* Where it listens, with the port: "127.0.0.1:43121". */
const char *text_server_where(const struct text_server *s);
/* Takes a copy. */
void text_server_set(struct text_server *s, const char *text, size_t n);
/* Answers nobody any more; NULL is fine. */
void text_server_stop(struct text_server *s);

#endif
