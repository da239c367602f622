/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SCHED_REPLAY_H
#define VIEW_SCHED_REPLAY_H
/*
 * What perf sched replay runs, and how long each round took: shown at once. One owner; zeroed
 * memory is safe to release.
 */
#include "util/analysis/sched-replay.h"
#include "util/view/sched-rows.h"

struct replay_show {
	FILE *fp;
	struct table_output output;
	struct sched_rows rows;		/* as data */
	double wall_ms, cpu_ms;		/* of all rounds so far */
	int n_rounds;
};

/* cost: what measuring costs, shown in text. */
void replay_show_script(struct replay_show *s, const struct replay_tables *t,
			const struct load_overhead *cost);
void replay_show_round(struct replay_show *s, const struct load_times *times);
void replay_show_end(struct replay_show *s);
void replay_show_release(struct replay_show *s);

#endif
