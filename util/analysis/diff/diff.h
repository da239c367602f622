/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_DIFF_DIFF_H
#define ANALYSIS_DIFF_DIFF_H
/*
 * Histograms of several recordings side by side. Rows are paired by what their keys are called, so
 * that two builds of a program meet: functions by name, those without a name by the file that they
 * are in, whatever their addresses are.
 *
 * The first file is the baseline. The table has columns of it and of each other file, and then
 * those of the keys. Pure functions; what the histograms point to is borrowed by the table.
 */
#include "util/analysis/hist/hist.h"

enum diff_compute {
	DIFF_DELTA_ABS,		/* of the shares, in percent; ordered by how large it is */
	DIFF_DELTA,		/* the same, ordered by value */
	DIFF_RATIO,		/* of the periods */
	DIFF_WDIFF,		/* difference of the periods, each times a weight */
	DIFF_CYCLES,		/* of the cycles of each block of code, by branch stacks */
};

struct diff_opts {
	enum diff_compute compute;
	s64 weight_base, weight;	/* DIFF_WDIFF: of the baseline, of the others */
	int order;		/* rows are in the order of this file's column; 0: baseline */
	bool baseline_only;		/* rows that the baseline and another file have */
	bool relative;			/* 100 % is what the histograms' filters left */
	/* columns that are asked for; with data, all of them */
	bool period, formula, chance;
	bool times;			/* DIFF_CYCLES: how those of the first times differ */
	bool data;
	bool fields;			/* fields between separators: a weighted difference of 0 is
					 * empty there, as upstream perf has it */
};

/* A difference is no more than chance below so many standard deviations of the numbers of
 * samples. */
#define DIFF_CHANCE_DEVIATIONS 3

struct code_blocks;
struct diff_file {
	struct hist *hist;		/* finished; all have the same key columns */
	const struct hist_keys *keys;
	const struct event *event;	/* NULL: this file has no such event */
	const struct code_blocks *blocks;	/* DIFF_CYCLES; of all events */
};

/* The event of that name (of several of one name, the one of the same place among them), else one
 * that counts the same thing elsewhere ("cycles" for "cycles:u"), or NULL. e is one of from. */
const struct event *diff_event(const struct event_list *from, const struct event *e,
			       const struct event_list *in);
/* n >= 2 files. table_release() is due; before the histograms go. */
void diff_table(const struct diff_file *files, size_t n, const struct diff_opts *o,
		struct table *out);

#endif
