/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TIMECHART_SVG_H
#define VIEW_TIMECHART_SVG_H
/*
 * A timechart as one self-contained SVG: a track for each CPU and for the tasks that ran most.
 * Readable without scripts; with them: zoom with the wheel or over a range, move by dragging, names
 * and times under the pointer, a click or a search marks tasks. The number of elements is bounded
 * (max_elements bars), whatever was recorded: bars that are narrower than what can be seen are
 * summed, and their height (of system calls: opacity) is the share of the time that they fill.
 */
#include "util/analysis/timechart.h"
#include "util/base/str.h"

struct timechart_view {
	int width;			/* px of the whole picture; 0: 1200 */
	int max_tasks;			/* task tracks, 0: 15 */
	size_t max_elements;		/* bars; 0: 20000 */
	bool cpus_only, tasks_only;
	const char *processes;		/* only tasks with one of these names or pids; comma list */
	/* a task's name, or a duration in ns: longer bars are marked */
	const char *highlight;
	/* calls are drawn at least so long; those so near each other are one */
	u64 io_min_ns, io_merge_ns;
	/* n_order CPUs that come first, or NULL; the others by number */
	const int *cpu_order;
	size_t n_order;
	const char *title;
};

void timechart_svg(const struct timechart *t, const struct sched *s, const struct timechart_view *v,
		   struct str *out);

#endif
