/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_FTRACE_TEXT_H
#define VIEW_FTRACE_TEXT_H
/*
 * Durations of kernel functions as upstream perf prints them. Any thread.
 */
#include "util/analysis/ftrace.h"
#include "util/base/str.h"

void ftrace_add_profile(struct str *out, const struct table *functions);
/* hide_empty: buckets without a call are left out. */
void ftrace_add_histogram(struct str *out, const struct latency_sums *t,
			  const struct latency_buckets *b, bool hide_empty);
void ftrace_add_statistics(struct str *out, const struct latency_sums *t, u64 unit_ns);

#endif
