/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_ABSENCES_H
#define ANALYSIS_ABSENCES_H
/*
 * When tasks were off the CPU, from where they left it, and who woke them: from samples of
 * sched:sched_switch, else of context-switches, until they are on a CPU again, as the next
 * sched_switch or a SWITCH record says; or from samples that say it themselves (offcpu-time). A
 * sink that tells one observer of it. Who did not come back was away until the end. One owner, one
 * thread; events come in the order of time.
 */
#include "util/base/hash.h"
#include "util/base/num.h"
#include "util/event/per-event.h"
#include "util/stream/sink.h"

/* How a task left. */
enum absence_state {
	ABSENCE_UNKNOWN,	/* the recording does not tell */
	ABSENCE_SLEEP,		/* interruptible */
	ABSENCE_DISK,		/* uninterruptible: mostly waits for I/O */
	ABSENCE_STOPPED,	/* by a signal, or a debugger */
	ABSENCE_PREEMPTED,	/* it wanted to run on */
	ABSENCE_N_STATES,
};

struct absence {
	u64 left_ns, back_ns;
	/* since when it waited for nothing but a CPU; 0: it was not, as far as is known */
	u64 ready_ns;
	enum absence_state state;
	bool away;
	u32 mine[4];		/* the observer's; as it left them, also before the next absence */
};

struct absences_opts {
	const struct event_list *events;
	bool swap;		/* the recording has the other byte order */
	/* NULL: all. The stream must not filter by these: the task that leaves is not that which
	 * comes. */
	const char *pids, *tids, *comms;
	bool no_chains;		/* it is no error that there are none */
	const char *hint;	/* how a recording is made that has what is needed */
};

struct absences_observer {
	void *ctx;
	void (*left)(void *ctx, const struct sink_item *it, struct absence *a);
	/* NULL, or: it is ready to run; the item is of who woke it */
	void (*woken)(void *ctx, const struct sink_item *it, struct absence *a);
	/* It is back, or the recording ends; back_ns > left_ns. */
	void (*over)(void *ctx, const struct absence *a);
	/* A sample that says how long a task was away, which is its period. */
	void (*said)(void *ctx, const struct sink_item *it);
};

/* -ENOENT with the way on: the recording does not say when tasks were off the CPU, or from where.
 * -EINVAL: a list of numbers is none. */
int absences_check(const struct absences_opts *o, const char *path, struct err *err);

/* The recording says when tasks leave. */
bool absences_are_known(const struct event_list *events);
/* What says it has call chains. */
bool absences_have_chains(const struct event_list *events);

struct absences;
/* opts: after absences_check(); copied, as is the observer; texts are borrowed. wants: of the
 * sink, besides what is needed here. */
struct absences *absences_new(const struct absences_opts *opts, const struct absences_observer *ob,
			      unsigned wants);
void absences_free(struct absences *o);			/* NULL is fine */
struct sink *absences_sink(struct absences *o);		/* borrowed */
void absences_end(struct absences *o);			/* nothing more comes */
/* Who is away was so until now, and is it from now on: for who shows what happens meanwhile. */
void absences_cut(struct absences *o);
/* How many tasks left a CPU, and how many came back. */
void absences_seen(const struct absences *o, u64 *n_left, u64 *n_back);

#endif
