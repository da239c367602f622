/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_LIVE_H
#define RECORD_LIVE_H
/*
 * Events that are shown while they happen: opened as a recording opens them, read from their rings
 * in the order of time over all rings, and nothing written. One owner.
 *
 * A pass with a bound hands out what is older. Whoever takes the time first and passes with it
 * (less a margin for writers that were interrupted between their time stamp and the ring) gets
 * everything in order; a record that comes later all the same is handed out first in the next pass.
 */
#include "util/record/filters.h"
#include "util/record/modules.h"
#include "util/record/record.h"
#include "util/record/rings.h"
#include "util/record/synth.h"

struct live_cursor {
	u64 at, head;		/* positions in the ring */
	const struct perf_event_header *hdr;	/* of the record at "at", NULL: none before head */
	u64 time_ns, last_ns;
	u8 *split;		/* copy of the record that wraps around the end */
	size_t split_bytes;
};

struct live {
	struct event_list *list;	/* borrowed */
	/* its target is resolved here and released by live_close() */
	struct record_opts o;
	struct os *os;
	pid_t workload;
	struct rings rings;
	struct live_cursor *cursors;	/* of each ring */
	u64 now_ns;			/* after all of this pass was written */
	int time_word;			/* of samples; of other records their trailing id tells */
	/* -u: why those who become that user later are not seen; no message: they are */
	struct err only_now;
	struct open_report opened;
	struct open_policy policy;
	struct filters *filters;
	bool kernel_hidden;		/* the kernel's addresses, found by live_before() */
	int cpu_fd;			/* of CPUs that come and go; -1: nobody tells */
	struct modules *modules;	/* NULL: they are not followed */
	u64 passed_ns;			/* all that is older was handed out */
};

/* o is copied; workload: a held one to attach to, or 0: o->target says whom to watch. Everything
 * is open, nothing enabled but the side-band. */
int live_open(struct live *l, struct event_list *list, const struct record_opts *o, pid_t workload,
	      struct os *os, struct err *err);
void live_close(struct live *l);
/* What was there before, as records of time 0: tasks' names, with maps also their mappings and
 * the kernel's, whose modules are followed from then on. */
int live_before(struct live *l, bool maps, synth_emit emit, void *ctx, struct err *err);

/* After CPUs came online: their events are opened again and side-band is on; true: the others
 * are to be enabled again, ids are to be settled anew and other descriptors polled. said(): what is
 * not watched from here on. */
bool live_follow_cpus(struct live *l, void (*said)(void *ctx, const char *text), void *ctx);

typedef bool (*live_fn)(void *ctx, const struct wire_timed *recs, size_t n);	/* false: no more */
/* Modules that came since, as their mappings: after the bound of a pass was taken, before it. */
void live_follow_modules(struct live *l, live_fn fn, void *ctx);
/* Becomes readable when it is time for that; -1: each pass may be. */
int live_modules_fd(const struct live *l);
/* Hands out all records older than bound_ns; they are borrowed for the call. */
void live_pass(struct live *l, u64 bound_ns, live_fn fn, void *ctx);
/* what the rings had no room for, as far as the kernel tells */
u64 live_lost(const struct live *l);

#endif
