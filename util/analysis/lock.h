/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_LOCK_H
#define ANALYSIS_LOCK_H
/*
 * How long tasks waited for the kernel's locks: from lock:contention_begin to lock:contention_end
 * of the same task and lock (Linux 5.19), summed up by caller, task or lock. A wait whose beginning
 * or end was not recorded is counted, and adds no time. The flags of contention_begin are in its
 * print format. One owner, one thread.
 */
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

/* The last two only of sums. */
enum lock_by { LOCK_BY_CALLER, LOCK_BY_TASK, LOCK_BY_LOCK, LOCK_BY_OWNER, LOCK_BY_CGROUP };

/* Samples of this event (raw data: struct lockrec, and struct ns_hist where that is known) are sums
 * of waits that BPF programs made: for who feeds a stream with them. */
#define LOCK_SUMS_EVENT "lock-sums"

/* What a row is sorted by, and what its columns show. */
enum lock_field {
	LOCK_ACQUIRED, LOCK_CONTENDED, LOCK_AVG_WAIT, LOCK_TOTAL_WAIT, LOCK_MAX_WAIT, LOCK_MIN_WAIT,
	LOCK_N_FIELDS
};

struct lock_opts {
	enum lock_by by;
	bool combine;		/* by lock: those of one name in one row */
	bool percentiles;	/* with their columns (ns-hist.h) */
	/* frames that are skipped from the innermost one on; the functions of the locks themselves
	 * are skipped in any case */
	int stack_skip;
	int max_stack;		/* of the frames that tell callers apart; 0: all */
	/* comma lists; NULL: no filter. Types: "spinlock", "rwsem:R", "mutex" ... */
	const char *types;
	const char *locks;	/* addresses or symbols */
	const char *callers;	/* parts of names in the call chain */
	enum lock_field key;	/* rows begin with the largest */
	bool by_number;		/* instead: by the thread's number, or the lock's address */
	/* by cgroup: the path of the one with this number; the model frees it; NULL: unknown */
	char *(*cgroup)(void *ctx, u64 id);
	void *ctx;
};

struct lock_stats {
	u64 n_waits;		/* whole ones */
	u64 n_unended;		/* that had no end */
	u64 n_unbegun;		/* that had no beginning */
	u64 n_bad;		/* events without the needed fields */
};

struct lock_model;
/* NULL: an unknown type in a filter, or an empty list. opts: copied, its texts are borrowed.
 * events: NULL: they come later. */
struct lock_model *lock_new(const struct lock_opts *opts, const struct event_list *events,
			    bool swap, struct err *err);
void lock_free(struct lock_model *l);			/* NULL is fine */
/* Borrowed: for one pass over the recording. */
struct sink *lock_sink(struct lock_model *l);
const struct lock_stats *lock_get_stats(const struct lock_model *l);
/*
 * Sorted rows, after the pass. Columns: contended, total_wait_ns, max_wait_ns, avg_wait_ns,
 * min_wait_ns, where asked for those of percentiles, then by caller type, caller, stack and
 * stack_addresses; by task or owner tid and comm (-1 and "Unknown": an owner that nobody knows); by
 * lock address, symbol and type; by cgroup cgroup_id and cgroup. out is zeroed; its texts are the
 * model's and the machine's.
 */
void lock_table(struct lock_model *l, struct table *out);
/* For who has the kernel filter: a bit for each value of contention_begin's flags (0 to 63) that is
 * of one of these types. NULL: all. -EINVAL: one of them is none. */
int lock_types_mask(const char *types, u64 *mask, struct err *err);
/* 0, or -ENOENT: the recording has no contention events; the hint says how to get some. */
int lock_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
