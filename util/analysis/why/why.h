/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_WHY_WHY_H
#define ANALYSIS_WHY_WHY_H
/*
 * Why a task was late: from the end of a span of time back to its beginning, over all tasks that
 * the task waited for. What a task did is known from the scheduler's events: it ran, it was ready
 * while others ran, or it slept until somebody woke it. If that was another task, what that one did
 * meanwhile is what the sleeper waited for, and so on. Other events of the recording say more of
 * it: call chains and system calls for what a task sleeps; block requests, interrupts, locks, page
 * faults.
 *
 *  1. The parts of a span are those of one path through the tasks: they follow each other without
 *     gaps, so that their times add up exactly to that of the span.
 *  2. A wait of a task is explained by the waker only from when the wait began. So the path goes
 *     back in time with each step, and ends.
 *
 * The whole recording is in memory: a few words for each event. One owner.
 */
#include "util/analysis/sched.h"
#include "util/base/table.h"

struct why_opts {
	const struct event_list *events;
	bool swap;			/* the recording has the other byte order */
	struct machine *machine;	/* whose kernel names functions of timers; or NULL */
	const char *const *syscalls;	/* names by number of the recorded machine, or NULL */
	u32 n_syscalls;
};

struct why;
/* Observes s, which outlives it; opts is copied. */
struct why *why_new(struct sched *s, const struct why_opts *opts);
void why_free(struct why *w);				/* NULL is fine */
/* For all events but the scheduler's, in the same pass; borrowed. */
struct sink *why_sink(struct why *w);
void why_close(struct why *w);				/* after sched_close() */

struct why_span { const struct sched_task *task; u64 from_ns, to_ns; };

/* Tasks whose name, tid or pid it is, the one with most of the time off the CPU first; of a pid
 * that is a thread's number, that thread first. */
typedef VEC(const struct sched_task *) why_tasks;
void why_find_tasks(const struct why *w, const char *text, why_tasks *out);
/* What is known of a task: from its first event to its last. */
struct why_span why_life(const struct why *w, const struct sched_task *task);
/* The n longest waits, from leaving a CPU to running again, the longest first: of tasks in only
 * (NULL: of all), within from_ns and to_ns. Those that a timer ended as the task had asked for,
 * and idle threads of the kernel, are no waits unless all says so. */
typedef VEC(struct why_span) why_spans;
struct why_search { size_t n; const why_tasks *only; u64 from_ns, to_ns; bool all; };
void why_slowest(const struct why *w, const struct why_search *what, why_spans *out);

/*
 * The parts of each span, and what they add up to; one set of tables a span, in their order, for
 * why_tables_free(). Texts are the tables'.
 *  facts: comm, tid, from_ns, to_ns, delay_ns, first_cause (its text), lost (events in the
 *         span)
 *  causes: share (percent), time_ns, count, kind, cause; those of the kind that took longest first:
 *         their times add up to delay_ns
 *  chain: from_ns, time_ns, depth, part (true: one of those that add up to delay_ns; else a wait
 *         that holds the following ones of greater depth), comm, tid, kind, what; by time
 */
struct why_tables { struct table facts, causes, chain; };
struct why_tables *why_explain(const struct why *w, const why_spans *spans);
void why_tables_free(struct why_tables *t, size_t n);

#endif
