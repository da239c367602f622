/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_LIST_H
#define BUILTIN_LIST_H
/*
 * perf list: builtin-list.c lists events, builtin-list-metrics.c metrics.
 */
#include <stdio.h>

#include "util/base/table.h"

struct list_metrics_opts {
	struct table_output data;
	bool groups;			/* names of groups, instead of metrics */
	bool names_only;
};
/* How many there were. */
size_t list_metrics(FILE *f, const struct list_metrics_opts *o);

#endif
