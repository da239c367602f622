/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HIST_BY_TIME_H
#define ANALYSIS_HIST_BY_TIME_H
/*
 * When the samples of each row fell, and which slices of time are unlike the others: tables of a
 * histogram whose last key column is "time", counted from first_ns on in slices of slice_ns
 * (hist_keys.time_from_ns, time_quantum_ns). What is counted is what ended in a row, or with
 * children what it called, too. Pure functions; the table borrows from the histogram.
 */
#include "util/analysis/hist/hist.h"

struct by_time_opts {
	u64 first_ns, slice_ns;
	unsigned n_slices;
	bool relative, outliers;
	double min_pct;			/* rows below are hidden */
	size_t n_outliers;		/* slices that are shown at most */
};

/* A row for each of the other keys, with a list of its periods by slice (COL_SPARK); or, with
 * outliers, one for each slice that differs from the rest by more than chance explains, the most
 * different first. */
void hist_by_time(const struct hist *h, const struct event *e, const struct by_time_opts *o,
		  struct table *out);

#endif
