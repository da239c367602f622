/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HEAP_PRIV_H
#define ANALYSIS_HEAP_PRIV_H
/*
 * Between heap.c (events come) and heap-table.c (tables are made of them).
 */
#include "util/analysis/heap.h"
#include "util/analysis/ns-hist.h"
#include "util/analysis/stack-set.h"
#include "util/event/event.h"
#include "util/event/per-event.h"

/* Bytes, and the variance of that. */
struct heap_sum { u64 bytes; double var; };

/* Of one stack. */
struct heap_entry {
	u32 node, row, next;
	struct heap_sum alloc, now, leak;	/* now: live at this time, or at the end */
	struct heap_sum peak;			/* at that of all, as heap_peak_of() tells */
	u64 peak_nr;
	u64 freed_bytes;
	double times;				/* about so many allocations */
};

#define HEAP_NO_ENTRY UINT32_MAX

/* How long lived what was freed, by bytes. */
struct heap_lives {
	struct ns_hist hist;
	u64 longest_ns;
};

/* Of one function. */
struct heap_row {
	u32 first;				/* of its entries, linked by next */
	const char *function;
	struct heap_lives *lives;
};

struct heap_piece {
	u64 bytes, weight, time_ns;
	u32 entry;
	u32 pid;
	struct heap_piece *spare;		/* the next one, among those that are free */
};

struct heap_model {
	struct sink sink;
	struct per_event events;		/* enum heap_event */
	struct stack_set stacks;
	struct idset row_ids, entry_ids;
	VEC(struct heap_row) rows;
	VEC(struct heap_entry) entries;
	struct hmap procs;			/* pid + 1 -> struct hmap *, of its live pieces */
	struct heap_piece *spare;
	struct arena arena;
	struct heap_sum alloc, now, peak, leak;
	u64 freed_bytes, n_samples, n_lost, period;
	double times;
	u64 first_ns, peak_ns;
	/* each new peak has a number; an entry whose number is older has not changed since */
	u64 peak_nr;
	struct event_list measures;		/* of the picture: events called as they are */
	struct heap_lives lives;
	size_t n_procs;				/* that allocated */
};

/* What the stack had at the peak of all. */
static inline struct heap_sum heap_peak_of(const struct heap_model *m, const struct heap_entry *e)
{
	return e->peak_nr == m->peak_nr ? e->peak : e->now;
}

#endif
