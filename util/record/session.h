/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_SESSION_H
#define RECORD_SESSION_H
/*
 * The parts of a running session that its files share.
 *
 * Invariants: 1. The side-band event counts from before the snapshot of /proc on. 2. A pass takes
 * from each ring what was there when the pass began, writes it whole, and ends with FINISHED_ROUND:
 * so a record is never written before one that is older by two rounds. 3. After the first failure
 * to write nothing more is written, rings are still emptied.
 */
#include "util/base/windows.h"
#include "util/os/control-channel.h"
#include "util/os/wait-set.h"
#include "util/os/workload.h"
#include "util/record/filters.h"
#include "util/record/heap.h"
#include "util/record/live-unwind.h"
#include "util/record/modules.h"
#include "util/record/off-time.h"
#include "util/record/output.h"
#include "util/record/rings.h"
#include "util/record/switch-event.h"

#define RECORD_PUSH_NS NSEC_PER_SEC	/* of what a killed recorder takes with it */

struct readers;

struct record_extras {			/* what was asked for, else NULL */
	struct readers *readers;	/* the session's own thread reads no rings */
	struct affinity *affinity;	/* that thread goes to where they are */
	struct switch_event *switcher;	/* events that begin a new file */
	struct off_time *off_cpu;	/* for how long threads are blocked */
	struct heap_recorder *heap;	/* what programs allocate */
	struct filters *filters;	/* of samples, by a BPF program */
};

struct record_session {
	struct record_opts *o;
	struct event_list *list;
	struct os *os;
	struct record_result *res;
	struct workload work;
	bool has_work, work_is_target;
	struct rings rings;
	struct output out;
	struct control_channel control;
	struct waiter waiter;
	struct live_unwind *live;	/* NULL: bytes go to the file as they are */
	struct record_extras with;
	struct modules *modules;	/* NULL: nothing to watch */
	int cpu_fd;			/* of CPUs that come and go; -1: nobody tells */
	u64 lost_before;		/* of counters that were replaced */
	void (*old_pipe)(int);
	u64 started_ns;
	struct windows windows;		/* on: the events are */
	/* mappings that were seen, and since when no other has come */
	u64 n_maps;
	u64 mapped_ns;
	u64 pushed_ns;			/* when what was read was last handed on to the file */
	bool stop, rotate;
	u64 data_bytes;			/* of records, to see whether a pass brought any */
};

/* The session's own thread waits for the rings; with several readers that unwind, to lead them. */
static inline bool record_waits_for_rings(const struct record_session *s)
{
	return !s->with.readers || s->live;
}

/* --- events.c */
void record_say(const struct record_session *s, enum record_say kind, const char *fmt,
		...) PRINTF_LIKE(3, 4);
/* What had to be changed to open the events. */
void record_say_changes(struct record_session *s);
void record_open_policy(const struct record_session *s, struct open_policy *p);
/* All of them; the side-band event is on. */
int record_open_events(struct record_session *s, struct err *err);
int record_set_enabled(struct record_session *s, bool on);
/* After events or rings came: what is to be on is on. */
int record_restart(struct record_session *s, struct err *err);

/* --- head.c: what stands before the samples */
int record_write_head(struct record_session *s, struct err *err);
int record_write_tail(struct record_session *s, struct err *err);
/* The loss that this counter tells goes to the file, and is added to *sum. */
int record_write_lost(struct record_session *s, const struct event *e, int fd, u64 id, u64 *sum,
		      struct err *err);
/* Mappings of kernel modules that came since; the rings were emptied just now. */
int record_write_modules(struct record_session *s, struct err *err);

/* --- pass.c */
/* Everything that the rings hold; not all: those with less than flush_bytes are left alone. */
int record_pass(struct record_session *s, bool all, struct err *err);
int record_dump_backward(struct record_session *s, struct err *err);	/* --overwrite */

/* --- flight.c */
int record_dump_flight(struct record_session *s, struct err *err);
/* The command has ended well, so nothing is to be written. */
bool record_flight_is_over(struct record_session *s);

/* --- wait.c */
/* Who is waited for; again after rings came. */
void record_wait_for(struct record_session *s);
/* Until there is something to do; what was asked for is noted. True: CPUs came or went. */
bool record_wait(struct record_session *s);
/* Threads that write into the rings are left. */
bool record_any_alive(const struct record_session *s);

/* --- cpus.c: CPUs that go and come while the whole system is recorded */
int record_follow_cpus(struct record_session *s, struct err *err);

#endif
