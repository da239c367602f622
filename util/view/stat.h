/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_STAT_H
#define VIEW_STAT_H
/*
 * The rows of "perf stat" as text, CSV and JSON lines.
 */
#include "util/analysis/stat/stat.h"

struct stat_view {
	enum stat_aggr aggr;
	struct table_output output;
	bool group_digits;	/* thousands separators of the locale */
	bool metric_only;
	const struct stat_formulas *formulas;	/* what metric_only has columns for */
	bool colour;		/* values of metrics by their threshold */
};

/* The line of column titles above interval rows (text only). */
void view_stat_interval_title(const struct stat_view *v, struct str *out);
/* time_ns: the interval's stamp, printed in front; < 0: none. lead: "summary" in its place, or
 * NULL. */
void view_stat_rows(const struct stat_view *v, const struct stat_row *rows, size_t n, s64 time_ns,
		    const char *lead,
		    struct str *out);
/* --- stat-metrics.c: rows of metrics alone */
#define VIEW_STAT_METRIC_WIDTH 12
/* The line of names: of CSV, and of intervals in text; else it stands with the rows, or nowhere. */
void view_stat_metric_head(const struct stat_view *v, bool interval, struct str *out);
void view_stat_metrics(const struct stat_view *v, const struct stat_row *rows, size_t n,
		       const struct stat_table_opts *o, struct str *out);
/* --- stat-openmetrics.c: the text format of OpenMetrics, complete with its end. sums: of n rows
 * until now, by their place; NaN: nothing was counted yet. The rows are added. */
void view_stat_openmetrics(const struct stat_view *v, const struct stat_row *rows, size_t n,
			   double *sums, struct str *out);
/* "N seconds time elapsed"; runs: one value each. */
void view_stat_elapsed(const double *seconds, size_t runs, bool table, struct str *out);
void view_stat_cpu_time(double user_s, double sys_s, struct str *out);

#endif
