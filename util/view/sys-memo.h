/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SYS_MEMO_H
#define VIEW_SYS_MEMO_H
/*
 * The texts of calls that come again: a program that reads in a loop makes the same call with the
 * same result over and over, and finding its text is five times quicker than making it. All bytes
 * that the text is made from are compared. One owner.
 */
#include "util/base/str.h"

struct sys_memo_key {		/* with the chunks, all that a text depends on; no holes */
	u64 what;		/* number, ABI, kind of line */
	s64 ret;
	u64 args[6];
};

struct sys_memo;
struct sys_memo *sys_memo_new(void);
void sys_memo_free(struct sys_memo *m);
/* Forgets everything: texts of before may be wrong. */
void sys_memo_clear(struct sys_memo *m);
u64 sys_memo_hash(const struct sys_memo_key *k, struct span chunks);
/* false: not known. The text is borrowed until the next put. */
bool sys_memo_get(const struct sys_memo *m, u64 hash, const struct sys_memo_key *k,
		  struct span chunks, struct span *text);
/* Is it worth a put: was it seen not long ago? Notes it for the next time. */
bool sys_memo_again(struct sys_memo *m, u64 hash);
/* Keeps a text, in the place of another one; long ones are not kept. */
void sys_memo_put(struct sys_memo *m, u64 hash, const struct sys_memo_key *k, struct span chunks,
		  struct span text);

#endif
