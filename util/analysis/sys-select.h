/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SYS_SELECT_H
#define ANALYSIS_SYS_SELECT_H
/*
 * Which system calls, from what users write after -e: "openat,close", "open*", "!read,write" (all
 * but these), "file" and the other classes, "%net", "/^read" (a regular expression), "all", "none",
 * strace's "trace=...", and events among them.
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/syscalls/syscalls.h"

struct sys_select {
	/* -e signal=none, quiet=exit: what --style=strace does not tell */
	bool no_signals, no_exits;
	bool any;			/* a system call was named: wanted counts */
	bool wanted[2 * SYSPLAN_NRS];	/* compat * SYSPLAN_NRS + nr */
	/* the words that are no calls, comma-separated: for the event parser */
	struct str events;
	VEC(size_t) ends;		/* in it, of the words of each -e */
};
void sys_select_init(struct sys_select *s);
void sys_select_release(struct sys_select *s);
/* Adds one -e. An unknown word without a ':' counts as an event. -EINVAL: a bad expression. */
int sys_select_add(struct sys_select *s, const char *text, const struct syscall_set *set,
		   struct err *err);
/* The same for what is not an -e: its events come after those. */
int sys_select_add_more(struct sys_select *s, const char *text, const struct syscall_set *set,
			struct err *err);
/* What is to be captured of each call, 2 * SYSPLAN_NRS of them; calls false: none has a line.
 * The caller frees. */
struct sysplan *sys_select_plans(const struct sys_select *s, const struct syscall_set *set,
				 bool calls, int max_string,
				 bool file_names);
/* The call with the nearest name, or NULL. */
const char *sys_select_nearest(const struct syscall_set *set, const char *word);

#endif
