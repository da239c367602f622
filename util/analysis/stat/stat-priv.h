/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_STAT_STAT_PRIV_H
#define ANALYSIS_STAT_STAT_PRIV_H
/*
 * Between the sums (stat.c) and the metrics made of them (metrics.c).
 */
#include "util/analysis/stat/stat.h"

struct stat_numbers {
	const struct event_list *l;
	const double *values;		/* [event * n_slots + slot], scaled, clocks in ns */
	size_t n_slots;
	/* by event: the first of its cgroup, and the next one, -1: none */
	const int *first_same, *next_same;
	u64 wall_ns;
};

struct stat_formula;
/* Scaled by its unit; NaN where it is not known. */
struct stat_metric stat_formula_value(const struct stat_numbers *n, const struct stat_formulas *all,
				      const struct stat_formula *f, size_t slot);
bool stat_is_clock(const struct event *e);
void stat_add_metrics(const struct stat_numbers *n, size_t event, size_t slot, struct stat_row *r);
/* what counted most first; not counted ones last */
void stat_sort_by_value(struct stat_row *rows, size_t n);

#endif
