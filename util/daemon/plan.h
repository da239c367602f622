/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAEMON_PLAN_H
#define DAEMON_PLAN_H
/*
 * What perf daemon is to run: sessions by name, each a command line of perf record. Texts are
 * untrusted: a name becomes a directory's. One owner; zeroed memory is an empty plan.
 */
#include "util/base/err.h"
#include "util/base/vec.h"

struct daemon_plan_session { char *name, *run; };	/* owned */
struct daemon_plan { VEC(struct daemon_plan_session) sessions; };

/* Words of a command line: blanks between them, "", '' and \ as in a shell. Owned, ended by NULL
 * (which n does not count). */
typedef VEC(char *) daemon_words;

/* A session, or (the name is there) another command line for it. -EINVAL: a name that can be no
 * directory's, or a line that perf daemon cannot run. */
int daemon_plan_add(struct daemon_plan *p, const char *name, const char *run, struct err *err);
/* NULL: it has none of that name. Borrowed. */
const struct daemon_plan_session *daemon_plan_find(const struct daemon_plan *p, const char *name);
void daemon_plan_release(struct daemon_plan *p);

int daemon_words_split(daemon_words *out, const char *run, struct err *err);
void daemon_words_release(daemon_words *w);

#endif
