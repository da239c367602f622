/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SCHED_TEXT_H
#define VIEW_SCHED_TEXT_H
/*
 * The scheduler's reports as text: latency table, map and timehist. Map and timehist are observers
 * that write as the recording is read. Texts go to a FILE in large pieces; sched_text_end() writes
 * the rest. One owner.
 */
#include <stdio.h>

#include "util/analysis/sched-latency.h"
#include "util/analysis/sched-timehist.h"
#include "util/base/err.h"

/* --- latency */
struct latency_view {
	bool percentiles, histogram;	/* in the text; data always have them */
	struct table_output output;
};
/* The line about lost events that ends a table; nothing without. facts: sched_facts() */
void sched_add_lost(struct str *out, const struct table *facts);
void latency_show(struct str *out, const struct latency_tables *t, const struct latency_view *v);

/* --- map */
struct map_opts {
	bool compact;		/* columns only for CPUs that were seen */
	const char *cpus;	/* only these */
	const char *color_cpus, *color_pids;
	const char *task_names;	/* comma list; others are not named and not shown */
	bool fuzzy;		/* a part of the name is enough */
	bool color;		/* the output is a terminal */
	struct table_output output;
	int width;		/* of the terminal, 0: unlimited: wide maps are folded to it */
};
struct sched_map;
struct sched_map *sched_map_new(struct sched *s, FILE *fp, const struct map_opts *opts,
				struct err *err);
void sched_map_end(struct sched_map *m, u64 n_records);	/* after sched_close(): writes the rest */
void sched_map_free(struct sched_map *m);

/* --- timehist */
struct timehist_view {		/* columns */
	bool next, cpu_visual, state, prio, pre_migrations;
	struct table_output output;	/* data have all of them */
};
struct timehist_text;
/* A line or row for each event that is shown: shown is for timehist_new(). o is borrowed. */
struct timehist_text *timehist_text_new(FILE *fp, const struct timehist_opts *o,
					const struct timehist_view *v,
					struct timehist_shown *shown);
/* The sums, if there are any (else NULL), and the rest of the text. */
void timehist_text_end(struct timehist_text *t, const struct timehist_tables *sums);
void timehist_text_free(struct timehist_text *t);
/* The sums as text; state: by how tasks waited. */
void timehist_add_sums(struct str *out, const struct timehist_tables *sums,
		       const struct timehist_opts *o, bool state);

#endif
