/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TIMECHART_H
#define ANALYSIS_TIMECHART_H
/*
 * Who ran where, who waited, and what the CPUs slept, as bars of time: an observer of the scheduler
 * model that keeps what a picture needs. One owner.
 *
 * Bars of one kind in one track come in time order. Memory is bounded, whatever the bars look like:
 * above max_bars, time is cut into cells of a quantum that doubles; bars shorter than it that begin
 * in the same cell become one (its busy_ns keeps the true share, its task is that of the longest
 * part). So a track has at most two bars of a kind for each cell.
 */
#include "util/analysis/sched.h"

enum bar_kind {
	BAR_RUNNING,
	BAR_WAITING,		/* for a CPU */
	BAR_BLOCKED,		/* uninterruptible */
	BAR_IOWAIT,		/* the same, and the kernel reported that it was for I/O */
	/* inside of such a system call */
	BAR_READ, BAR_WRITE, BAR_SYNC, BAR_RECV, BAR_SEND, BAR_POLL,
	BAR_IDLE,		/* of a CPU: value is the number of the state */
	BAR_FREQ,		/* of a CPU: value is in kHz */
	BAR_KINDS,
};
#define BAR_IO_FIRST BAR_READ
#define BAR_IO_LAST BAR_POLL

struct bar {
	u64 from_ns, to_ns;
	u64 busy_ns;		/* of it, in the state; to - from when nothing was summed */
	/* bytes that a call moved (summed), or see the kind (of the longest part) */
	u64 value;
	int task;		/* index; of the longest part; -1: none */
	int cpu;
	u8 kind;
	bool summed;		/* several bars became one */
	bool failed;		/* a system call with an error */
	/* timechart_chain(): where the task left the CPU, at the end of a run or before a wait;
	 * 0: not known */
	u32 chain;
	u64 longest_ns;		/* part of it */
};

struct timechart_row {			/* a CPU, or a task */
	VEC(struct bar) bars[BAR_KINDS];
	u64 ns[BAR_KINDS];
};
u64 timechart_row_io_ns(const struct timechart_row *l);		/* inside of system calls */

struct timechart;
struct timechart *timechart_new(struct sched *s, size_t max_bars);
void timechart_free(struct timechart *t);
/* Before the events: bars get the call chains of the switches, of so many frames. */
void timechart_keep_chains(struct timechart *t, int max_frames);
/* Its text, as sched_add_chain() has it; borrowed. Chains are numbered from 1 to the result of
 * the other function. */
const char *timechart_chain(const struct timechart *t, u32 chain);
u32 timechart_chains(const struct timechart *t);
/* A system call of a task, with its result. */
void timechart_io(struct timechart *t, const struct sched_task *task, enum bar_kind kind,
		  u64 from_ns, u64 to_ns, int cpu,
		  s64 result);
/* From now on the CPU is in an idle state (awake: none), or runs at a frequency. */
void timechart_idle(struct timechart *t, u64 t_ns, int cpu, bool awake, u64 state);
void timechart_freq(struct timechart *t, u64 t_ns, int cpu, u64 khz);
/* A sink that finds system calls in syscalls:sys_enter_* and sys_exit_* of a recording; NULL: it
 * has none of I/O, and none will come (late: they may). Those that failed with EAGAIN may be left
 * out. To be run after the model's own sink. */
struct sink *timechart_io_sink_new(struct timechart *t, struct sched *s,
				   const struct event_list *events, bool swap,
				   bool skip_eagain, bool late);
void timechart_io_sink_free(struct sink *sink);
size_t timechart_io_calls(void);		/* names of the calls that the sink knows */
const char *timechart_io_call(size_t i);
/* The same for what the CPUs did of power:cpu_idle and cpu_frequency, and their predecessors
 * power_start, power_end and power_frequency (before 2.6.38). NULL: the recording has none. */
struct sink *timechart_power_sink_new(struct timechart *t, struct sched *s,
				      const struct event_list *events, bool swap,
				      bool late);
void timechart_power_sink_free(struct sink *sink);
size_t timechart_power_events(void);
const char *timechart_power_event(size_t i);	/* "cpu_idle", ... */
/* After the model was closed: ends the open bars. */
void timechart_close(struct timechart *t);
/* by CPU number */
size_t timechart_cpus(const struct timechart *t, const struct timechart_row **out);
/* by task index */
size_t timechart_tasks(const struct timechart *t, const struct timechart_row **out);
struct wakeup_mark { u64 t_ns; int waker, task; };
/* below 2000: evenly thinned */
size_t timechart_wakeups(const struct timechart *t, const struct wakeup_mark **out);

/* Bars of one kind, thinned on the way to cells of quantum_ns; 0: as they are. Copies to out
 * when not NULL; returns how many. */
size_t bars_thinned(const struct bar *v, size_t n, u64 quantum_ns,
		    void (*out)(void *ctx, const struct bar *b), void *ctx);

#endif
