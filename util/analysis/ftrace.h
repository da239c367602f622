/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FTRACE_H
#define ANALYSIS_FTRACE_H
/*
 * Durations of kernel functions, out of the lines of the function_graph tracer (with its option
 * funcgraph-tail, so that the end of a function has its name). One owner.
 */
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/wire/latencyrec.h"

enum ftrace_key { FTRACE_TOTAL, FTRACE_AVG, FTRACE_MAX, FTRACE_COUNT, FTRACE_NAME, FTRACE_N_KEYS };
extern const char *const ftrace_key_names[FTRACE_N_KEYS];

struct ftrace_model;
struct ftrace_model *ftrace_model_new(const struct latency_buckets *buckets);
void ftrace_model_free(struct ftrace_model *m);			/* NULL is fine */
/* A line, without its end. What is no end of a function counts for nothing. */
void ftrace_model_line(struct ftrace_model *m, const char *line, size_t len);
/* function, total_ns, avg_ns, max_ns, count: sorted. t is zeroed. */
void ftrace_model_profile(struct ftrace_model *m, enum ftrace_key key, struct table *t);
/* All functions together. */
const struct latency_sums *ftrace_model_times(const struct ftrace_model *m);
/* Where a bucket begins and ends, in units; to 0: it has no end. False: there is none of this
 * number. */
bool ftrace_bucket(const struct latency_buckets *b, int i, u64 *from, u64 *to);

#endif
