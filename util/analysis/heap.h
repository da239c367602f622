/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HEAP_H
#define ANALYSIS_HEAP_H
/*
 * Memory of user programs from the samples of perf heap record (record/heap.h): what was allocated
 * and freed, what was live when all programs together had most, what was never freed, and how long
 * it lived; by the function that allocated, with its stacks.
 *
 * A sampled piece stands for its weight in bytes, which makes all sums unbiased. With the period m
 * a piece of s < m bytes is sampled with the probability s / m and stands for m bytes: of such
 * a sum the variance is estimated by the sum of m * (m - s), each by itself. Errors are
 * two standard deviations. With a period of 1 everything is sampled, and exact.
 *
 * Memory that a process still has when it ends, or executes another program, was never freed: it
 * has leaked. What processes that go on have at the end of the recording is live, too, but no leak.
 * One owner, one thread.
 */
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

/* What rows and branches are measured by. */
enum heap_measure { HEAP_LIVE, HEAP_PEAK, HEAP_ALLOCATED, HEAP_TIMES, HEAP_LEAK, HEAP_N_MEASURES };
extern const char *const heap_measure_names[HEAP_N_MEASURES];	/* "live" */

struct heap_opts {
	enum heap_measure measure;
	bool stacks;		/* call trees below rows */
	bool percentiles;	/* of lifetimes, in rows */
	bool inverted;		/* call trees: the innermost function first */
	double min_pct;		/* of all, that a branch of a call tree has at least */
};

struct heap_model;
struct heap_model *heap_new(const struct event_list *events);
void heap_free(struct heap_model *m);			/* NULL is fine */
struct sink *heap_sink(struct heap_model *m);		/* borrowed */

struct heap_tables {
	/* period_bytes, samples, processes; alloc_bytes, alloc_error_bytes, allocs, freed_bytes;
	 * live_bytes, live_error_bytes, leak_bytes, leak_error_bytes; peak_bytes,
	 * peak_error_bytes, peak_ns (since the first sample); life_p50_ns, life_p95_ns,
	 * life_p99_ns (of what was freed, by bytes); lost */
	struct table facts;
	/* share (percent, of the measure), live_bytes, leak_bytes, peak_bytes, alloc_bytes,
	 * freed_bytes, allocs, error_bytes (of the measure; of allocs: of alloc_bytes), with
	 * percentiles life_p50_ns, life_p95_ns, life_p99_ns, and function; the largest measure
	 * first, and none without any */
	struct table rows;
	u64 total;		/* of the measure */
};
/* After the pass; out is zeroed. Texts are the model's and the recording's. */
void heap_tables(struct heap_model *m, const struct heap_opts *opts, struct heap_tables *out);
void heap_tables_release(struct heap_tables *t);
/* The same as a picture: an event for each measure that there is, but for TIMES. Borrows from the
 * model; flame_tree_release() is due. */
struct flame_tree;
void heap_flame(struct heap_model *m, struct flame_tree *out);	/* period 0: nothing */
/* 0, or -ENOENT: the recording has no such events; the hint says how to get some. */
int heap_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
