/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SCHED_TEXT_H
#define VIEW_SCHED_TEXT_H
/*
 * The scheduler's stories as text: latency table, map and timehist. Map and timehist are observers
 * that write as the recording is read. Texts go to a FILE in large pieces; sched_text_end() writes
 * the rest. One owner.
 */
#include <stdio.h>

#include "util/analysis/sched-latency.h"
#include "util/base/err.h"

/* --- latency */
/* n_records: of the recording */
struct latency_view { bool percentiles, histogram; u64 n_records; };
/* The line about lost events that ends a table; nothing without. */
void sched_add_lost(struct str *out, const struct sched *s, u64 n_records);
void latency_print(FILE *fp, struct latency *l, const struct sched *s,
		   const struct latency_view *v);
void latency_json(FILE *fp, struct latency *l, const struct sched *s);

/* --- map */
struct map_opts {
	bool compact;		/* columns only for CPUs that were seen */
	const char *cpus;	/* only these */
	const char *color_cpus, *color_pids;
	const char *task_names;	/* comma list; others are not named and not shown */
	bool fuzzy;		/* a part of the name is enough */
	bool color;		/* the output is a terminal */
	bool json;		/* an object a switch, in one array */
	int width;		/* of the terminal, 0: unlimited: wide maps are folded to it */
};
struct sched_map;
struct sched_map *sched_map_new(struct sched *s, FILE *fp, const struct map_opts *opts,
				struct err *err);
void sched_map_end(struct sched_map *m, u64 n_records);	/* after sched_close(): writes the rest */
void sched_map_free(struct sched_map *m);

/* --- timehist */
struct timehist_opts {
	bool migrations, wakeups, next, cpu_visual, state, prio, idle_hist, pre_migrations;
	bool summary, only_summary;
	/* one object: an array of events, and of summaries when asked for */
	bool json;
	bool chains;		/* samples have call chains, and they are wanted */
	int max_stack;		/* frames of a chain */
	const char *pids, *tids, *cpus, *prios, *time;	/* filters */
	int max_cpu;		/* width of the CPU visual: number of CPUs */
};
struct timehist;
struct timehist *timehist_new(struct sched *s, FILE *fp, const struct timehist_opts *opts,
			      struct err *err);
/* After sched_close(): the summaries, and the rest of the text. */
void timehist_end(struct timehist *t);
void timehist_free(struct timehist *t);

#endif
