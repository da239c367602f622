/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHED_H
#define ANALYSIS_SCHED_H
/*
 * The scheduler model: scheduler tracepoints in time order become states of tasks and CPUs.
 * Observers hear of each finished run, wake-up, migration, fork and exit, with the times already
 * measured; latency, timehist, map, timechart and the exports are observers.
 *
 * Invariants
 *  1. A task is in exactly one state at any time from its first_ns on; state_ns[] of all states
 *     adds up to the time between
 *     first_ns and the last event (sched_close()).
 *  2. A CPU runs exactly one task, or it is not known which (before its first switch, after lost
 *     events, and when it has gone
 *     offline): run, idle and unknown time of a CPU add up to the time of the recording.
 *  3. A time that was not seen from its beginning is not measured: it is 0 and not counted as a
 *     delay.
 *  4. A tid is reused only by a fork: a new task begins there. Task 0 exists once a CPU.
 * One owner.
 */
#include "util/base/hash.h"
#include "util/base/vec.h"
#include "util/stream/sink.h"

enum sched_state {
	SCHED_UNKNOWN,
	SCHED_RUNNING,
	SCHED_RUNNABLE,		/* woken up or forked, waits for a CPU */
	SCHED_PREEMPTED,	/* left the CPU while it still wanted to run */
	SCHED_SLEEPING,		/* interruptible: S, I, T, t, P */
	SCHED_BLOCKED,		/* uninterruptible: D */
	SCHED_IOWAIT,		/* blocked, and a sched_stat_iowait reported that it was I/O */
	SCHED_DEAD,
	SCHED_NR_STATES,
};

struct sched_task {
	u32 tid, pid;			/* pid: process; tid itself while unknown */
	s64 ppid;			/* -1: unknown */
	int index;			/* creation order */
	const char *comm;		/* newest known; interned in the model */
	int prio;
	int in_prio;			/* when the run that goes on began */
	int cpu;			/* where it ran or was queued last; -1: unknown */
	bool idle;			/* swapper of one CPU */
	/* comm comes from a COMM record: longer than what the events carry */
	bool named;
	enum sched_state state;
	u64 since_ns;			/* of the state */
	u64 first_ns;
	u64 state_ns[SCHED_NR_STATES];
	u64 out_ns;			/* last left a CPU; 0: never seen */
	enum sched_state left;		/* how it did */
	enum sched_state left_before;	/* how it had left the CPU before the run that goes on */
	u64 in_ns;			/* last got a CPU; 0: not seen */
	/* of the run that goes on: time off the CPU before it, and the runnable part of that */
	u64 wait_ns, delay_ns;
	u64 premig_ns;			/* of that: until the last migration */
	/* last migration while runnable, 0: none since it became so */
	u64 moved_ns;
	u64 woken_ns;			/* last wake-up */
	/* how long it was uninterruptible until then, 0: not at all, or it was for I/O */
	u64 blocked_ns;
	u64 n_runs, n_delays, n_migrations, n_wakeups;
};

struct sched_cpu {
	int cpu;
	struct sched_task *curr;	/* NULL: unknown */
	struct sched_task *idle;
	/* from since_ns on, with its events: reported by sched_close() */
	bool offline;
	u64 first_ns, since_ns;		/* since_ns: of curr */
	/* when it was reported again after it had been offline last; 0: never */
	u64 back_ns;
	u64 idle_from_ns;		/* when it became idle last */
	u64 run_ns, idle_ns, unknown_ns;
	u64 n_switches;
};

/* prev left the CPU, next got it. Times of prev are those of its run that ends here; 0 when the
 * same switch is reported again. */
struct sched_switch {
	u64 t_ns;
	struct sched_cpu *cpu;
	struct sched_task *prev, *next;
	const char *next_comm;		/* as the event has it; for the length of the call */
	/* of prev: R S D T t X Z P I ...; the letter of the recording kernel's own format */
	char state;
	bool preempted;			/* "R+" */
	/* of prev when its run began; that when it ends is prev->prio */
	int prev_in_prio;
	bool run_known;			/* the beginning of the run was seen */
	u64 run_ns, wait_ns, delay_ns, premig_ns;
	u64 in_ns;			/* when the run began, 0: not seen */
	/* how prev had left the CPU before wait_ns: SCHED_PREEMPTED, _BLOCKED, else asleep */
	enum sched_state waited;
	u64 next_wait_ns, next_delay_ns;	/* what next waited before the run that begins */
	bool next_delay_known;
	u64 next_ready_ns;		/* since when next was runnable, when known */
	const struct sink_item *item;	/* NULL in tests */
};

struct sched_wake {
	u64 t_ns;
	int cpu, target_cpu;
	struct sched_task *task, *waker;
	bool is_new;
	bool was_blocked;		/* uninterruptible until now */
	bool was_iowait;		/* and it is known already that it was for I/O */
	const struct sink_item *item;
};

struct sched_move { u64 t_ns; int cpu, from_cpu, to_cpu; struct sched_task *task, *waker;
		    const struct sink_item *item; };

struct sched_observer {
	void *ctx;
	void (*switched)(void *ctx, const struct sched_switch *sw);
	void (*woken)(void *ctx, const struct sched_wake *w);
	void (*moved)(void *ctx, const struct sched_move *m);
	void (*forked)(void *ctx, u64 t_ns, struct sched_task *parent, struct sched_task *child);
	void (*renamed)(void *ctx, u64 t_ns, struct sched_task *task);
	/* Reported after the wake-up: the blocked time that it ended was for I/O. */
	void (*iowaited)(void *ctx, const struct sched_task *task, u64 from_ns, u64 to_ns);
	/* the recorder was too slow; cpu -1: unknown */
	void (*lost)(void *ctx, u64 t_ns, int cpu, u64 n);
};

struct sched_stats {
	u64 n_switches, n_wakeups, n_moves, n_forks, n_runtime;
	/* a switch whose prev was not what the CPU ran: events are missing */
	u64 n_gaps;
	u64 n_bad;		/* samples without the fields that are needed */
	u64 n_lost, n_lost_records;	/* what LOST records said, and how many there are */
	u64 n_unordered;	/* events older than the one before: taken as happening with it */
	u64 first_ns, last_ns;	/* first U64_MAX without any event */
};

struct sched;
struct sched *sched_new(void);
void sched_free(struct sched *s);
/* Of so many CPUs there are events, as far as the recording says so: until all were seen, one
 * that was not may still come. */
void sched_recorded_cpus(struct sched *s, size_t n);
/* All migrations are among the events: a task that is on another CPU without one was on a CPU
 * that is not recorded. */
void sched_moves_are_reported(struct sched *s);
/* o is copied. */
void sched_observe(struct sched *s, const struct sched_observer *o);

/* --- events, in time order (decoded by sched_sink(); called directly by tests) */
void sched_on_switch(struct sched *s, u64 t_ns, int cpu, u32 prev_tid, const char *prev_comm,
		     int prev_prio, char state,
		     bool preempted, u32 next_tid, const char *next_comm, int next_prio,
		     const struct sink_item *item);
/* waking, wakeup and wakeup_new; a second report of the same wake-up changes nothing. */
void sched_on_wake(struct sched *s, u64 t_ns, int cpu, u32 waker_tid, u32 tid, const char *comm,
		   int prio, int target_cpu,
		   bool is_new, const struct sink_item *item);
void sched_on_move(struct sched *s, u64 t_ns, int cpu, u32 waker_tid, u32 tid, const char *comm,
		   int from_cpu, int to_cpu,
		   const struct sink_item *item);
void sched_on_fork(struct sched *s, u64 t_ns, u32 parent_tid, u32 child_tid,
		   const char *child_comm);
void sched_on_iowait(struct sched *s, u64 t_ns, u32 tid);
void sched_on_lost(struct sched *s, u64 t_ns, int cpu, u64 n);	/* cpu -1: any may have lost */
/* What COMM and FORK records of the recording say; forked says that the task begins now. */
void sched_on_task(struct sched *s, u64 t_ns, u32 pid, u32 tid, s64 ppid, const char *comm);
/* Something else happened: the recording lasts at least until then. */
void sched_on_time(struct sched *s, u64 t_ns);
void sched_bad_sample(struct sched *s);		/* counts one that lacks needed fields */
/* Ends all states at the last event. */
void sched_close(struct sched *s);

/* A sink that feeds the model from the events of a recording (swap: it has the other byte
 * order). More wants (chains) may be added to its bits. The model must outlive it;
 * sched_sink_free() afterwards. */
struct sink *sched_sink_new(struct sched *s, const struct event_list *events, bool swap);
/* Before it runs: wake-ups are not taken. Who runs where does not depend on them: only delays,
 * and which tasks and CPUs were ever heard of. */
void sched_sink_leave_wakes(struct sink *sink);
void sched_sink_free(struct sink *sink);

/* --- results */
const struct sched_stats *sched_get_stats(const struct sched *s);
size_t sched_tasks(const struct sched *s, struct sched_task *const **out);	/* by index */
/* by CPU number; NULL holes */
size_t sched_cpus(const struct sched *s, struct sched_cpu *const **out);
/* the newest with this tid; made when unknown */
struct sched_task *sched_task_of(struct sched *s, u32 tid, int cpu);
/* -ENOENT with the way on, when the recording has no sched_switch event. */
int sched_need_switches(const struct event_list *l, const char *path, struct err *err);

#endif
