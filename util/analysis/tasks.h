/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TASKS_H
#define ANALYSIS_TASKS_H
/*
 * What a recording says besides its samples: the tree of tasks, and how many records of each kind
 * there are. Keys of the tables: Documentation/perf-data-output.txt.
 */
#include "util/base/table.h"
#include "util/event/per-event.h"
#include "util/stream/stream.h"

/* All tasks as rows, parents before their children, by tid among siblings; indent is a row's depth
 * in the tree. */
void tasks_table(const struct machine *m, struct table *t);

/* A sink that only counts samples by event: those that are there, that were lost, and that a filter
 * has dropped. */
struct sample_counts {
	struct sink sink;
	const struct event_list *list;	/* borrowed */
	struct per_event n, lost, dropped;	/* a u64 each */
};
void sample_counts_init(struct sample_counts *c, const struct event_list *list);
void sample_counts_release(struct sample_counts *c);

/* What a file has: records by type, samples by event, user stacks by how they ended. */
struct file_counts { struct table facts, records, events, stacks; };
/* Zeroed before. The names of events are borrowed. empty: also types that there are none of. */
void file_counts_fill(struct file_counts *f, const struct stream_stats *st,
		      const struct event_list *events, const struct sample_counts *samples,
		      bool empty);
void file_counts_release(struct file_counts *f);

#endif
