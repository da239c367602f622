/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_LOCK_PRIV_H
#define ANALYSIS_LOCK_PRIV_H
/*
 * The model of lock contention: lock.c fills it from events, lock-table.c makes tables of it.
 */
#include "util/analysis/lock.h"
#include "util/analysis/ns-hist.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/words.h"
#include "util/event/per-event.h"

/* The bits of contention_begin's flags, by its print format. */
enum { LCB_SPIN = 1, LCB_READ = 2, LCB_WRITE = 4, LCB_RT = 8, LCB_PERCPU = 16, LCB_MUTEX = 32 };

struct lock_type {
	const char *name;	/* "rwsem:R" */
	const char *family;	/* "rwsem" */
	u32 flags;		/* all of these are set */
};

struct lock_row {
	u64 n, total_ns, max_ns, min_ns;
	const struct lock_type *type;		/* of the first wait */
	struct location *frames;		/* from the caller on, innermost first */
	u32 n_frames, tid;
	const char *comm;
	u64 addr;
	const char *name;			/* of the lock, or the cgroup; NULL: none */
	u64 cgroup;
	size_t order;				/* of the first wait */
	struct ns_hist *hist;			/* of the waits; NULL: not asked for */
};

struct lock_wait {
	const struct lock_type *type;
	u64 start_ns;
	struct lock_row *row;		/* NULL: a filter leaves it out */
	struct lock_wait *next;		/* of the spare ones */
};

enum lock_event_kind { LOCK_EVENT_OTHER, LOCK_EVENT_BEGIN, LOCK_EVENT_END, LOCK_EVENT_SUM };
struct lock_event {
	enum lock_event_kind kind;
	const struct tp_field *addr, *flags;
};

/* What is known of a wait, or of a sum of waits, besides the times. comm: lives as long as the
 * machine, or the arena. */
struct lock_what {
	const struct lock_type *type;
	u64 addr, cgroup;
	u32 tid, known;			/* known: enum lockrec_known */
	const char *comm;
};

struct lock_model {
	struct lock_opts opts;
	struct sink sink;
	struct lock_stats stats;
	bool swap;
	struct per_event events;		/* struct lock_event */
	u32 types;				/* that are wanted, a bit each; 0: all */
	word_list locks, callers;
	struct dso *kernel;			/* NULL: no frame in it was seen yet */
	struct hmap by_key, waits;
	VEC(struct lock_row *) rows;
	struct lock_wait *spare;
	struct arena arena;
};

#endif
