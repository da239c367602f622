/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_OFF_CPU_TEXT_H
#define VIEW_OFF_CPU_TEXT_H
/*
 * perf sched offcpu: rows with call trees, as perf report shows them.
 */
#include "util/analysis/off-stacks.h"
#include "util/base/str.h"

struct off_cpu_view {
	struct table_output output;
	double min_pct;			/* of branches and rows; 0: all */
	bool inverted;
};
void off_cpu_show(struct str *out, const struct off_stacks_tables *t,
		  const struct off_cpu_view *v);

#endif
