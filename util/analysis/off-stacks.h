/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_OFF_STACKS_H
#define ANALYSIS_OFF_STACKS_H
/*
 * For how long tasks were off the CPU, by task, state and stack: rows with a call tree, from
 * absences. An absence is one wait in the state in which the task left, and from its wake-up on one
 * more, "runnable". Of sums that the recorder made (offcpu-time) the times and not the numbers of
 * waits are known: each sample counts as one. Memory grows with what is distinct. One owner.
 */
#include "util/analysis/absences.h"
#include "util/base/table.h"

/* What rows are of. */
enum off_key { OFF_COMM, OFF_PID, OFF_TID, OFF_STATE, OFF_STACK, OFF_WAKER, OFF_N_KEYS };

struct off_stacks_opts {
	struct absences_opts absences;
	const char *keys;	/* "comm,state"; NULL: that */
	bool wakers;		/* stacks go on with that of who woke the task */
	bool chains;		/* the recording has some */
};

struct off_table_opts {
	bool no_trees;
	bool percentiles;	/* columns for them */
	bool inverted;		/* the innermost function first */
	double min_pct;		/* of the whole time, that a branch has at least */
	/* who is away goes on to be it, after these tables, as another wait: see
	 * off_stacks_restart() */
	bool goes_on;
};

struct off_stacks;
/* NULL: a key that is none. opts: copied, its texts are borrowed. */
struct off_stacks *off_stacks_new(const struct off_stacks_opts *opts, struct err *err);
void off_stacks_free(struct off_stacks *o);		/* NULL is fine */
struct sink *off_stacks_sink(struct off_stacks *o);	/* borrowed */
const struct absences *off_stacks_absences(const struct off_stacks *o);

struct off_stacks_tables {
	struct table facts;	/* total_ns, waits, tasks */
	/* share (percent), time_ns, count, avg_ns, max_ns, with percentiles p50_ns, p95_ns, p99_ns,
	 * and a column for each key; the longest time first */
	struct table rows;
	u64 total_ns;
};
/* After the pass; out is zeroed. Texts are the model's and the recording's. */
void off_stacks_tables(struct off_stacks *o, const struct off_table_opts *opts,
		       struct off_stacks_tables *out);
/* Nothing was counted so far. Tables that were made of it are released. */
void off_stacks_restart(struct off_stacks *o);
void off_stacks_tables_release(struct off_stacks_tables *t);

#endif
