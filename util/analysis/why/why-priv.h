/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_WHY_WHY_PRIV_H
#define ANALYSIS_WHY_WHY_PRIV_H
/*
 * collect.c: what each task and CPU did, by the scheduler's events. others.c: what other events
 * say. kinds.c: for what a task sleeps, and who woke it, by functions and system calls. walk.c: the
 * path back. table.c: tables of it.
 */
#include "util/analysis/why/why.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/event/per-event.h"

enum why_state { WHY_UNKNOWN, WHY_RUNS, WHY_READY, WHY_SLEEPS, WHY_BLOCKED, WHY_STOPPED,
		 WHY_GONE };

/* For what a task sleeps. */
enum why_wait {
	WAIT_UNKNOWN, WAIT_LOCK, WAIT_FUTEX, WAIT_CONDITION, WAIT_PIPE, WAIT_SOCKET, WAIT_POLL,
	WAIT_TIMER, WAIT_DISK, WAIT_CHILD, WAIT_SIGNAL, WAIT_TERMINAL, WAIT_WORK, WAIT_MEMORY,
	WAIT_EVENT, WAIT_STOP, WAIT_N,
};
extern const char *const why_wait_names[WAIT_N];	/* "a pipe" */

/* Who woke it. */
enum why_how { HOW_TASK, HOW_INTERRUPT, HOW_TIMER, HOW_DISK, HOW_NETWORK };

/* What a task does from from_ns on, until its next one. */
struct why_seg {
	u64 from_ns;
	u8 state;		/* enum why_state */
	u8 wait;		/* enum why_wait: sleeps */
	u8 how;			/* enum why_how: READY after a wake-up */
	bool woken;		/* READY: it begins with a wake-up */
	bool fault;		/* sleeps in a page fault */
	int cpu;
	int waker;		/* index of the task; -1: none */
};

/* Who runs on a CPU from from_ns on; task -1: nobody. */
struct why_slot { u64 from_ns; int task, prio; };

/* A span of a task's time, or of a CPU's: locks, requests, system calls. */
struct why_lock { u64 from_ns, to_ns, addr; u32 flags; };
struct why_call { u64 from_ns, to_ns, arg; u32 nr; };
struct why_request { u64 from_ns, start_ns; u32 dev, tid; };	/* from_ns: when it was done */
/* An interrupt's handler begins: name borrowed from the model. */
struct why_handler { u64 from_ns; const char *name; };

typedef VEC(struct why_seg) why_segs;
typedef VEC(struct why_slot) why_slots;
typedef VEC(struct why_handler) why_handlers;
typedef VEC(struct why_request) why_requests;
typedef VEC(u64) why_times;

struct why_extra {			/* by thread id: what other events say of it */
	VEC(struct why_lock) locks;
	VEC(struct why_call) calls;
	why_times faults;
};

struct why_task {			/* by index in the model */
	const struct sched_task *task;
	why_segs segs;
	/* a wake-up that came while the task still ran: it counts if the task then sleeps */
	struct why_seg early;
};

struct why_cpu {
	why_slots slots;
	why_handlers handlers;
	why_requests done;		/* by completion */
};

struct why {
	struct sched *sched;
	struct why_opts opts;
	VEC(struct why_task) tasks;
	VEC(struct why_cpu) cpus;
	struct hmap kinds;		/* symbol -> enum why_wait + 1 */
	struct hmap hows;		/* symbol -> enum why_how + 1 */
	struct hmap extras;		/* tid -> struct why_extra, owned */
	struct hmap requests;		/* by device and sector: struct why_request, owned */
	struct intern *names;
	struct sink sink;
	struct per_event evs;		/* others.c */
	struct per_event flags;		/* common_flags of wake-ups */
	why_times lost;
	why_times refills;		/* timers that renew the quotas of cgroups */
	struct hmap timers;		/* function -> 1: it is one of them, 2: not */
	u64 first_ns, last_ns;
};

static inline struct why_cpu *why_cpu_at(struct why *w, int cpu)	/* 0..65535 */
{
	while (w->cpus.n <= (size_t)cpu)
		(void)vec_add(&w->cpus);
	return &w->cpus.v[cpu];
}

void why_observe(struct why *w);				/* collect.c */
/* others.c */
void why_others_init(struct why *w);
void why_others_release(struct why *w);

/* kinds.c. item may be NULL. in_fault: whether a page fault is on the chain. */
enum why_wait why_wait_of(struct why *w, const struct sink_item *item, bool *in_fault);
enum why_wait why_wait_of_call(const struct why *w, u32 nr);
enum why_how why_how_of(struct why *w, const struct sink_item *item, bool waker_idle);

/* The last of n times (from_ns first in each struct) that is not after t_ns; -1: none. */
#define why_last_at(all, t_ns) \
	({ size_t lo_ = 0, hi_ = (all)->n; \
	   while (lo_ < hi_) { \
		size_t mid_ = (lo_ + hi_) / 2; \
		if ((all)->v[mid_].from_ns <= (t_ns)) \
			lo_ = mid_ + 1; \
		else \
			hi_ = mid_; \
	   } \
	   (long)lo_ - 1; })

/* --- walk.c: parts of a path */

enum why_kind {
	KIND_RUNS,		/* the task itself ran */
	KIND_WORK,		/* another task ran, for which it waited */
	KIND_LOCK,		/* another one had the lock */
	KIND_CPU,		/* it was ready, but another task ran */
	KIND_IDLE_CPU,		/* it was ready, and so was the CPU: it was not allowed to run */
	KIND_DISK, KIND_TIMER, KIND_NETWORK, KIND_INTERRUPT, KIND_STOPPED, KIND_FAULT,
	KIND_MEMORY, KIND_SLEEP, KIND_UNKNOWN, KIND_N,
};

struct why_part {
	u64 from_ns, to_ns;
	int task;		/* whose time it is */
	int depth;
	bool is_wait;		/* holds those after it, of greater depth */
	u8 kind;		/* enum why_kind; of a wait: that by which its parts are called */
	u8 wait;		/* enum why_wait */
	int other;		/* the task that ran, or woke it; -1: none */
	int prio, cpu;
	u64 number;		/* page faults; a lock's address */
	const char *name;	/* of a lock, a device, an interrupt; in the arena, or NULL */
};
typedef VEC(struct why_part) why_parts;

/* By time; a wait before its parts. */
void why_walk(const struct why *w, const struct why_span *span, struct arena *texts,
	      why_parts *out);

#endif
