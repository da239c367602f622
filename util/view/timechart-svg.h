/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TIMECHART_SVG_H
#define VIEW_TIMECHART_SVG_H
/*
 * A timechart as one self-contained SVG: a lane for each CPU and for the tasks that ran most; zoom with the wheel, move by
 * dragging, times under the pointer, a click on a name marks a task everywhere. Readable without scripts too. The number of
 * elements is bounded (max_elements), whatever was recorded: bars that are narrower than what can be seen are summed, and
 * their opacity is the share of the time that they fill.
 */
#include "util/analysis/timechart.h"
#include "util/base/str.h"

struct timechart_view {
	int width;			/* px of the whole picture; 0: 1200 */
	int max_tasks;			/* task lanes, 0: 15 */
	size_t max_elements;		/* 0: 20000 */
	bool cpus_only, tasks_only;
	const char *processes;		/* only tasks with one of these names or pids; comma list */
	const char *highlight;		/* a task's name, or a duration in ns: longer bars are marked */
	u64 io_min_ns, io_merge_ns;	/* calls are drawn at least so long; those so near each other are one */
	const char *title;
};

void timechart_svg(const struct timechart *t, const struct sched *s, const struct timechart_view *v, struct str *out);

#endif
