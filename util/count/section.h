/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COUNT_SECTION_H
#define COUNT_SECTION_H
/*
 * The section COUNTS of a recording of counts: what upstream's records do not say, and stat report
 * needs to show what stat showed: caches and clusters of CPUs, cgroups and PMUs of events, and the
 * metrics. Layout: Documentation/perf.data-format.txt.
 */
#include "util/count/count.h"

struct data_reader;

/* Where metrics of a recording go; both are owned by the caller (count_metrics_release()). */
struct count_metrics_of {
	struct metric_set *set;
	struct stat_formulas *formulas;
};

/* Of an open list; o->stat.formulas may be NULL. */
void count_section_add(const struct event_list *l, const struct os *os, const struct count_opts *o,
		       struct str *out);
/* To the reader's events, to topo (cluster, and the cache of o->cache_level, 0: of the last), to o
 * (how rows are added up, formulas) and to m. Without a section nothing is done. -EINVAL: it is
 * damaged, and there are no metrics; some of the rest may have been taken. */
int count_section_read(struct data_reader *from, struct count_opts *o, os_cpu_vec *topo,
		       const struct count_metrics_of *m, struct err *err);

#endif
