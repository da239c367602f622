/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FTRACE_H
#define ANALYSIS_FTRACE_H
/*
 * Durations of kernel functions, out of the lines of the function_graph tracer (with its option
 * funcgraph-tail, so that the end of a function has its name). One owner.
 */
#include "util/base/err.h"
#include "util/base/table.h"

enum { FTRACE_BUCKETS = 22 };

enum ftrace_key { FTRACE_TOTAL, FTRACE_AVG, FTRACE_MAX, FTRACE_COUNT, FTRACE_NAME, FTRACE_N_KEYS };
extern const char *const ftrace_key_names[FTRACE_N_KEYS];

/* A histogram of durations: by powers of two of the unit, or from min in steps of range. */
struct ftrace_buckets {
	u64 unit_ns;		/* 1, or 1000 */
	u64 range, min, max;	/* in units; range 0: powers of two; max 0: as far as they go */
};

struct ftrace_times {
	u64 n, total_ns, min_ns, max_ns;
	u64 counts[FTRACE_BUCKETS];
	VEC(u64) all_ns;	/* only with keep */
};

struct ftrace_model;
struct ftrace_model *ftrace_model_new(const struct ftrace_buckets *buckets, bool keep);
void ftrace_model_free(struct ftrace_model *m);			/* NULL is fine */
/* A line, without its end. What is no end of a function counts for nothing. */
void ftrace_model_line(struct ftrace_model *m, const char *line, size_t len);
/* function, total_ns, avg_ns, max_ns, count: sorted. t is zeroed. */
void ftrace_model_profile(struct ftrace_model *m, enum ftrace_key key, struct table *t);
/* All functions together. */
const struct ftrace_times *ftrace_model_times(const struct ftrace_model *m);
/* 0..1, with keep; sorts. */
u64 ftrace_model_percentile_ns(struct ftrace_model *m, double share);
/* Where a bucket begins and ends, in units; to 0: it has no end. False: there is none of this
 * number. */
bool ftrace_bucket(const struct ftrace_buckets *b, int i, u64 *from, u64 *to);

#endif
