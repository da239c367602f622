/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COUNT_METRICS_H
#define COUNT_METRICS_H
/*
 * The events that metrics need, put into the list, and the metrics bound to them.
 */
#include "util/analysis/stat/formula.h"

struct count_metrics_opts {
	const struct metric_set *set;	/* linked */
	const char *names;		/* metrics and groups, with commas */
	bool no_group;			/* each event by itself, not one weak group a metric */
	const char *cputype, *pmu_filter;	/* as event_list_keep_pmus(); or NULL */
	bool no_merge;			/* no event is shared by two metrics */
	bool no_tools;			/* no rows for perf's own events: duration_time is known */
	/* what an event that is not there means: the metric is left out instead of an error */
	bool optional;
	bool on_cpus;			/* CPUs are watched, not tasks */
};

/* Appends events; out refers to the set's metrics, os and db. On failure: the message names the
 * metric, and has a caret where an event is none. */
int count_add_metrics(struct event_list *l, struct os *os, struct pmu_db *db,
		      const struct count_metrics_opts *o, struct stat_formulas *out,
		      struct err *err);
/* After the list was repeated for further cgroups, n_each events a time: the same metrics for each
 * of them. */
void count_repeat_metrics(const struct event_list *l, size_t n_each, struct stat_formulas *f);
void count_metrics_release(struct stat_formulas *f);

#endif
