/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_NS_HIST_H
#define ANALYSIS_NS_HIST_H
/*
 * How often times of which size occurred: 8 steps per power of two, so that a percentile is right
 * to 1/8. Zeroed memory is an empty one; no memory is owned. One owner.
 */
#include "util/base/table.h"
#include "util/wire/latencyrec.h"

void ns_hist_add(struct ns_hist *h, u64 ns);
void ns_hist_merge(struct ns_hist *to, const struct ns_hist *from);
/* A time that this share of all is not above: at most an eighth too long, and never longer than
 * max_ns; 0 without any, or h NULL. */
u64 ns_hist_percentile_ns(const struct ns_hist *h, double share, u64 max_ns);
/* Those that reports show: 50, 95 and 99%. */
enum { NS_PERCENTILES = 3 };
extern const struct ns_percentile { const char *key, *title; double share; }
	ns_percentiles[NS_PERCENTILES];
/* Their columns, "p50_ns" and so on, and the cells of a row from this one on; returns the one
 * behind. */
void ns_hist_add_columns(struct table *t);
struct cell *ns_hist_add_cells(const struct ns_hist *h, u64 max_ns, struct cell *cell);
/* By powers of two, from the first one that has any to the last one: from_ns, to_ns, count. Empty
 * ones between are hidden: only a picture needs them. out is zeroed. */
void ns_hist_table(const struct ns_hist *h, struct table *out);

#endif
