/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHED_TIMEHIST_H
#define ANALYSIS_SCHED_TIMEHIST_H
/*
 * Each run of each task, and sums of them: an observer of the scheduler model that knows which
 * events are asked for, and counts. Times are those of the model; a filter hides events and takes
 * them out of the sums, but never changes what is measured. One owner.
 */
#include "util/analysis/sched.h"
#include "util/base/err.h"
#include "util/base/table.h"

struct timehist_opts {
	bool migrations, wakeups;	/* events of these are shown */
	bool idle_hist;			/* of idle times instead of runs */
	bool summary, only_summary;	/* with sums; without events */
	bool chains;			/* samples have call chains, and they are wanted */
	int max_stack;			/* frames of a chain */
	const char *pids, *tids, *cpus, *prios, *time;	/* filters */
	int max_cpu;			/* number of CPUs, as far as the recording says so */
};

/* What is asked for, as it comes. A run's times are those in the window. */
struct timehist_shown {
	void *ctx;
	void (*run)(void *ctx, const struct sched_switch *sw);
	void (*wake)(void *ctx, const struct sched_wake *w);
	void (*move)(void *ctx, const struct sched_move *m);
	void (*lost)(void *ctx, u64 t_ns, int cpu, u64 n);
};

struct timehist;
/* NULL: a list or time that is none. All are copied; texts are borrowed until the return. */
struct timehist *timehist_new(struct sched *s, const struct timehist_opts *opts,
			      const struct timehist_shown *shown, struct err *err);
void timehist_free(struct timehist *t);

/* Events as rows of one table: columns, then a row each. Members that an event does not have are
 * absent. */
void timehist_event_columns(struct table *t);
void timehist_run_row(struct table *t, const struct sched_switch *sw,
		      const struct timehist_opts *o);
void timehist_wake_row(struct table *t, const struct sched_wake *w);
void timehist_move_row(struct table *t, const struct sched_move *m);
void timehist_lost_row(struct table *t, u64 t_ns, int cpu, u64 n);

/* The sums. some: only some tasks were asked for: then there is nothing to say of the CPUs, and
 * all but tasks is empty. idle: a row each CPU, those not asked for are hidden. */
struct timehist_tables { struct table tasks, idle, chains, facts; bool some; };
/* After sched_close(). out is zeroed; texts are the model's, or borrowed from t. */
void timehist_tables(struct timehist *t, struct timehist_tables *out);
void timehist_tables_release(struct timehist_tables *t);

#endif
