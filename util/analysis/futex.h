/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FUTEX_H
#define ANALYSIS_FUTEX_H
/*
 * How long threads waited for futexes, from sums that BPF programs made (wire/futexrec.h), or
 * from the events of the system call (syscalls:sys_enter_futex and sys_exit_futex): by the lock,
 * by who waited, or by who had the lock (of events: who let the waiter go on). What a futex is
 * (mutex, condition, rwlock ...) tell the kernel's view of it and the functions of the C library
 * that waited. One owner, one thread.
 */
#include "util/analysis/lock.h"
#include "util/wire/futexrec.h"

/* Samples of this event (raw data: struct futexrec, and steps; address: the lock's; pid and tid:
 * whose sum it is; call chain: its user stack) are for who feeds a stream with them. */
#define FUTEX_SUMS_EVENT "futex-sums"

struct futex_opts {
	enum futexrec_rows by;
	const char *types;	/* "mutex,rwlock"; NULL: all */
	const char *locks;	/* addresses or symbols; NULL: all */
	enum lock_field key;	/* rows begin with the largest */
	int max_stack;		/* frames that tell stacks apart; 0: all */
};

struct futex_stats {
	u64 n_waits;		/* that were counted */
	u64 n_unended;		/* of events: that have no end; after futex_tables() */
	u64 n_bad;		/* events without the needed fields */
};

struct futex_model;
/* NULL: an unknown type, or an empty list. opts: copied, its texts are borrowed. swap: as that of
 * the source. */
struct futex_model *futex_new(const struct futex_opts *opts, bool swap, struct err *err);
void futex_free(struct futex_model *m);			/* NULL is fine */
struct sink *futex_sink(struct futex_model *m);		/* borrowed */
const struct futex_stats *futex_get_stats(const struct futex_model *m);
/* 0, or -ENOENT: the recording has no such events; the hint says how to get some. */
int futex_need_events(const struct event_list *events, const char *path, struct err *err);

struct futex_tables {
	/* contended, total_wait_ns, max_wait_ns, avg_wait_ns, min_wait_ns, p50_ns, p95_ns, p99_ns,
	 * timeouts; then by lock type, address, symbol, dso, pid, and who had it most: holder_tid,
	 * holder, holder_pct; by thread tid, comm, pid. Sorted. */
	struct table rows;
	/* Who waited at, and who had, a lock (or: where this thread did): side (CSV: "waiter",
	 * "holder"), row (its number from 0 on), contended, total_wait_ns, max_wait_ns, tid,
	 * comm, stack, stack_addresses. By row, the longest time first. Of a table of threads one
	 * of the two is empty. */
	struct table waiters, holders;
};
/* After the pass, once. out is zeroed; its texts are the model's and the machine's. n_rows: 0: all.
 * percentiles: with their columns. */
void futex_tables(struct futex_model *m, size_t n_rows, bool percentiles,
		  struct futex_tables *out);
void futex_tables_release(struct futex_tables *t);

#endif
