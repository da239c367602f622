/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FUTEX_H
#define ANALYSIS_FUTEX_H
/*
 * How long threads waited for futexes, from sums that BPF programs made (wire/futexrec.h): by the
 * lock, by who waited, or by who had the lock. What a futex is (mutex, condition, rwlock ...) tell
 * the kernel's view of it and the functions of the C library that waited. One owner, one thread.
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

struct futex_model;
/* NULL: an unknown type, or an empty list. opts: copied, its texts are borrowed. */
struct futex_model *futex_new(const struct futex_opts *opts, struct err *err);
void futex_free(struct futex_model *m);			/* NULL is fine */
struct sink *futex_sink(struct futex_model *m);		/* borrowed */
u64 futex_waits(const struct futex_model *m);		/* that were counted */

struct futex_tables {
	/* contended, total_wait_ns, max_wait_ns, avg_wait_ns, min_wait_ns, p50_ns, p95_ns, p99_ns,
	 * timeouts; then by lock type, address, symbol, dso, pid, comm, and who had it most:
	 * holder_tid, holder, holder_pct; by thread tid, comm, pid. Sorted. */
	struct table rows;
	/* Who waited at, and who had, a lock (or: where this thread did): row (its number from 0
	 * on), contended, total_wait_ns, max_wait_ns, tid, comm, stack, stack_addresses. By row, the
	 * longest time first. Of a table of threads one of the two is empty. */
	struct table waiters, holders;
};
/* After the pass, once. out is zeroed; its texts are the model's and the machine's. n_rows: 0: all.
 * percentiles: with their columns. */
void futex_tables(struct futex_model *m, size_t n_rows, bool percentiles,
		  struct futex_tables *out);
void futex_tables_release(struct futex_tables *t);

#endif
