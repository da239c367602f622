/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TIMECHART_H
#define ANALYSIS_TIMECHART_H
/*
 * Who ran where and who waited, as bars of time: an observer of the scheduler model that keeps what a picture needs. Spans of a
 * lane come in time order. Memory is bounded: above max_bars, bars shorter than a quantum that grows are summed into the span
 * before them (its busy_ns keeps the true share). One owner.
 */
#include "util/analysis/sched.h"

enum bar_kind { BAR_RUNNING, BAR_WAITING, BAR_BLOCKED };	/* waiting: for a CPU; blocked: uninterruptible */

struct bar {
	u64 from_ns, to_ns;
	u64 busy_ns;		/* of it, in the state; to - from when nothing was summed */
	int task;		/* index; of the longest part */
	int cpu;
	u8 kind;
	u8 summed;		/* several bars became one */
};

struct lane {			/* a CPU, or a task */
	VEC(struct bar) bars;
	u64 run_ns, wait_ns, block_ns;
	u64 begin_ns, end_ns;
};

struct timechart;
struct timechart *timechart_new(struct sched *s, size_t max_bars);
void timechart_free(struct timechart *t);
/* After the model was closed: ends the open bars. */
void timechart_close(struct timechart *t);
size_t timechart_cpus(const struct timechart *t, const struct lane **out);	/* by CPU number; running bars only */
size_t timechart_tasks(const struct timechart *t, const struct lane **out);	/* by task index */
struct wakeup_mark { u64 t_ns; int waker, task; };
size_t timechart_wakeups(const struct timechart *t, const struct wakeup_mark **out);	/* at most 1000: evenly thinned */

#endif
