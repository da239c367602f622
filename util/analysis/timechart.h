/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TIMECHART_H
#define ANALYSIS_TIMECHART_H
/*
 * Who ran where and who waited, as bars of time: an observer of the scheduler model that keeps what a picture needs. Spans of a
 * lane come in time order. Memory is bounded: above max_bars, bars shorter than a quantum that grows are summed into the span
 * before them (its busy_ns keeps the true share). One owner.
 */
#include "util/analysis/sched.h"

enum bar_kind {
	BAR_RUNNING,
	BAR_WAITING,		/* for a CPU */
	BAR_BLOCKED,		/* uninterruptible */
	BAR_READ, BAR_WRITE, BAR_SYNC, BAR_RECV, BAR_SEND, BAR_POLL,	/* inside of such a system call */
	BAR_KINDS,
};

struct bar {
	u64 from_ns, to_ns;
	u64 busy_ns;		/* of it, in the state; to - from when nothing was summed */
	int task;		/* index; of the longest part */
	int cpu;
	u8 kind;
	u8 summed;		/* several bars became one */
	bool failed;		/* a system call with an error */
	u64 bytes;		/* that it moved */
};

struct lane {			/* a CPU, or a task */
	VEC(struct bar) bars;	/* without I/O */
	VEC(struct bar) io;
	u64 run_ns, wait_ns, block_ns, io_ns;
	u64 begin_ns, end_ns;
};

struct timechart;
struct timechart *timechart_new(struct sched *s, size_t max_bars);
void timechart_free(struct timechart *t);
/* A system call of a task, with its result. */
void timechart_io(struct timechart *t, const struct sched_task *task, enum bar_kind kind, u64 from_ns, u64 to_ns, int cpu,
		  s64 result);
/* A sink that finds system calls in syscalls:sys_enter_* and sys_exit_* of a recording; NULL: it has none of I/O. Those that failed
 * with EAGAIN may be left out. To be run behind the model's own sink. */
struct sink *timechart_io_sink_new(struct timechart *t, struct sched *s, const struct event_list *events, bool swap,
				   bool skip_eagain);
void timechart_io_sink_free(struct sink *sink);
size_t timechart_io_calls(void);		/* names of the calls that the sink knows */
const char *timechart_io_call(size_t i);
/* After the model was closed: ends the open bars. */
void timechart_close(struct timechart *t);
size_t timechart_cpus(const struct timechart *t, const struct lane **out);	/* by CPU number; running bars only */
size_t timechart_tasks(const struct timechart *t, const struct lane **out);	/* by task index */
struct wakeup_mark { u64 t_ns; int waker, task; };
size_t timechart_wakeups(const struct timechart *t, const struct wakeup_mark **out);	/* at most 1000: evenly thinned */

#endif
