/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SCHEDSTAT_H
#define VIEW_SCHEDSTAT_H
/*
 * Counters of the scheduler in upstream perf's layout: one report, or two next to each other.
 */
#include "util/analysis/schedstat.h"

/* rows: of schedstat_delta() or schedstat_average(); verbose: fields are explained (the first
 * side's counts). find may be NULL. */
struct schedstat_side {
	const schedstat_rows *rows;
	u64 elapsed;
	bool verbose;
	schedstat_find find;
	const void *ctx;
};

/* The legend and the elapsed time. b NULL: one side. */
void schedstat_head(struct str *out, const struct schedstat_side *a,
		    const struct schedstat_side *b);
/* The CPU in row "at" and its domains; the index after them. title: instead of the CPU's number,
 * for averages; or NULL. */
size_t schedstat_block(struct str *out, const struct schedstat_side *a,
		       const struct schedstat_side *b, size_t at, const char *title);
/* As data: two, side by side; or one, b NULL. What they have beyond the rows is elapsed. */
struct schedstat_data { const struct table *rows; u64 elapsed; };
void schedstat_draw(struct str *out, const struct schedstat_data *a, const struct schedstat_data *b,
		    const struct table_output *output);

#endif
