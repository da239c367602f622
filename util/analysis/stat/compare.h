/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_STAT_COMPARE_H
#define ANALYSIS_STAT_COMPARE_H
/*
 * Two things measured in pairs: by how much they differ, and whether that is more than chance.
 *
 * Of each pair the ratio b / a is taken. The result is the pseudomedian of the ratios' logarithms
 * (Hodges and Lehmann: the median of the means of all pairs of them), its interval that of
 * Wilcoxon's signed-rank test: no distribution is assumed, and a few runs that were disturbed
 * change little. Pure functions.
 */
#include "util/base/types.h"

/* Of one measure, two things that are the same are called different in 1 of 100 comparisons. */
#define STAT_CONFIDENCE_PCT 99
/* With fewer pairs no difference is sure enough. */
#define STAT_MIN_PAIRS 8

enum stat_verdict { STAT_NO_DIFFERENCE, STAT_LESS, STAT_MORE, STAT_NO_RATIO };

struct stat_comparison {
	double median_a, median_b;
	double ratio, low, high;	/* of b to a, and its interval */
	enum stat_verdict verdict;	/* STAT_NO_RATIO: some value is not above 0 */
};

/* n >= 1 pairs; a and b are not changed. */
void stat_compare(const double *a, const double *b, size_t n, struct stat_comparison *out);

#endif
