/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHED_LATENCY_H
#define ANALYSIS_SCHED_LATENCY_H
/*
 * How long tasks waited for a CPU: per task, or summed by comm. An observer of the scheduler model.
 * One owner. A delay goes from the moment a task became runnable (woken, forked, preempted) to the
 * moment it ran; one whose beginning was not recorded is not counted.
 */
#include "util/analysis/ns-hist.h"
#include "util/analysis/sched.h"
#include "util/base/err.h"
#include "util/base/table.h"

struct latency_row {
	const char *comm;
	u32 tid;			/* of the first task */
	u64 n_tasks;
	u64 run_ns, n_delays, delay_ns, max_ns, max_start_ns, max_end_ns;
	struct ns_hist *hist;	/* owned */
};

struct latency_opts {
	bool per_task;			/* -p: do not sum by comm */
	const char *sort;		/* "avg,max,switch,runtime" (default), also "pid" */
	const char *cpus;		/* only runs on these */
};

struct latency;
/* NULL: bad key or list */
struct latency *latency_new(struct sched *s, const struct latency_opts *opts, struct err *err);
void latency_free(struct latency *l);
/* After sched_close(). Sorted rows with at least one delay or run; owned by l. */
size_t latency_rows(struct latency *l, const struct latency_row **out);

/* All of it as data. tasks: the rows, sorted; histogram: delays of all tasks by powers of two;
 * the others are of the model (sched-table.h). */
struct latency_tables { struct table facts, tasks, histogram, cpus, timelines; };
/* Instead of latency_rows(). n_records: of the recording. out is zeroed; texts are the model's. */
void latency_tables(struct latency *l, const struct sched *s, u64 n_records,
		    struct latency_tables *out);
void latency_tables_release(struct latency_tables *t);

#endif
