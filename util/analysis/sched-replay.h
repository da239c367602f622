/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHED_REPLAY_H
#define ANALYSIS_SCHED_REPLAY_H
/*
 * The recorded load as a script for load_run(): each task's runs, sleeps and wake-ups. An observer
 * of the scheduler model. One owner. A sleep that another recorded task ended becomes a wait for
 * that task's wake-up; one that ended by an interrupt or on an idle CPU becomes a sleep of the same
 * length; one that did not end is left out. So each wait has its wake-up, which stands after
 * nothing that happened later: the script always ends.
 */
#include "util/analysis/sched.h"
#include "util/base/load.h"
#include "util/base/table.h"

struct replay_task {
	const struct sched_task *task;
	VEC(struct load_step) steps;
	/* its present run is in the steps up to here; 0: it is not known to run */
	u64 mark_ns;
	u64 slept_ns;		/* since when it sleeps, while the last step is the sleep */
	bool sleeps;
	bool seen;		/* switched or woken before */
};

struct replay {
	struct sched *sched;
	VEC(struct replay_task) tasks;	/* by task index; those without steps have none to replay */
	u64 n_runs, n_sleeps, n_wakes, run_ns;
};

struct replay *replay_new(struct sched *s);
void replay_free(struct replay *r);
/* After sched_close(). Tasks with steps, renumbered: *out is owned by the caller (free), its
 * steps by r. (*of)[i] is the task of (*out)[i]; of is to be freed, too. */
size_t replay_script(struct replay *r, struct load_task **out, const struct replay_task ***of);

/* What is run as data: one row of sums, and a row each task of the script. */
struct replay_tables { struct table facts, tasks; };
void replay_tables(const struct replay *r, const struct replay_task *const *of, size_t n,
		   struct replay_tables *out);
void replay_tables_release(struct replay_tables *t);
/* The rounds: columns, then a row each. */
void replay_round_columns(struct table *t);
void replay_round_row(struct table *t, const struct load_times *times);

#endif
