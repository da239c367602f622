/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SYS_PAIRS_H
#define ANALYSIS_SYS_PAIRS_H
/*
 * Pairs of raw tracepoints (the begin and the end of a call, without memory of arguments) become
 * the records that the capture would have made (wire/sysrec.h), by its rules: a call is one record;
 * one that goes on for long, or in which its thread does something else that is shown, is two; the
 * first end in a new thread belongs to its parent. One owner.
 */
#include "util/analysis/sys.h"

struct sys_pairs_opts {
	struct sys_lines *lines;	/* the records go there; borrowed */
	const bool *wanted;		/* 2 * SYSPLAN_NRS calls, NULL: all */
	u64 min_ns;			/* shorter calls are left out */
	bool only_failed;
	/* a thread of which nothing counts before its first successful exec; 0: none */
	u32 held;
	/* a call that ended, for summaries; NULL: none */
	void (*on_call)(void *ctx, const struct sysrec *r);
	void *ctx;
};
struct sys_pairs;
struct sys_pairs *sys_pairs_new(const struct sys_pairs_opts *o);
void sys_pairs_free(struct sys_pairs *p);

/* r: tid, tgid, cpu, comm, nr, flags & SYSREC_F_COMPAT; with enter_ns and args, or exit_ns and
 * ret. In the order of time. */
void sys_pairs_enter(struct sys_pairs *p, const struct sysrec *r);
/* false: nothing was reported, because the call is not wanted or not reported. */
bool sys_pairs_exit(struct sys_pairs *p, const struct sysrec *r);
/* The n-th name of a file that the call of this thread looks up. */
void sys_pairs_path(struct sys_pairs *p, u32 tid, struct span text);
void sys_pairs_born(struct sys_pairs *p, u32 tid);
void sys_pairs_died(struct sys_pairs *p, u32 tid, u64 time_ns);
/* Something else of this thread is about to be shown. */
void sys_pairs_event(struct sys_pairs *p, u32 tid);
/* Everything before this time is known: calls that go on for long now are reported. */
void sys_pairs_until(struct sys_pairs *p, u64 time_ns);
/* n records are missing: what is open may have ended. */
void sys_pairs_lost(struct sys_pairs *p, u64 n);

#endif
