/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_IO_H
#define ANALYSIS_IO_H
/*
 * Requests to block devices: who made them, how large they were, and how long they took, from
 * block:block_rq_insert (or, where a request is not queued, block_rq_issue) to
 * block_rq_complete of the same device and sector. The time until block_rq_issue is that in the
 * queue, the rest that of the device. A request is whose that queued it: of writes that the kernel
 * makes later, its worker's. A request whose beginning or end was not recorded is counted, and adds
 * no time. One owner, one thread.
 */
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

/* What rows are of. */
enum io_key { IO_COMM, IO_PID, IO_TID, IO_DEVICE, IO_OP, IO_SIZE, IO_N_KEYS };

struct io_opts {
	const char *keys;	/* "comm,device,op"; NULL: that */
	bool chains;		/* keep call chains */
};

struct io_stats {
	u64 n_requests, bytes, total_ns;	/* whole ones */
	u64 n_unended, n_unbegun;
	u64 n_bad;				/* events without the needed fields */
};

struct io_model;
/* NULL: a key that is none. opts: copied, its texts are borrowed. */
struct io_model *io_new(const struct io_opts *opts, const struct event_list *events, bool swap,
			struct err *err);
void io_free(struct io_model *m);			/* NULL is fine */
/* Nothing is counted so far; requests that were begun go on. */
void io_restart(struct io_model *m);
struct sink *io_sink(struct io_model *m);		/* borrowed */
const struct io_stats *io_get_stats(const struct io_model *m);	/* n_unended: after io_tables() */

struct io_table_opts {
	bool percentiles;	/* columns for them */
	bool inverted;		/* call trees: the innermost function first */
	double min_pct;		/* of all time, that a branch of a call tree has at least */
};
struct io_tables {
	struct table facts;	/* requests, bytes, total_ns, unended, unbegun */
	/* share (percent of all time), requests, bytes, time_ns, avg_ns, max_ns, queue_avg_ns, with
	 * percentiles p50_ns, p95_ns, p99_ns, and a column for each key; the longest time first */
	struct table rows;
	struct table histogram;	/* of all requests: ns_hist_table() */
};
void io_tables(struct io_model *m, const struct io_table_opts *opts, struct io_tables *out);
void io_tables_release(struct io_tables *t);
/* 0, or -ENOENT: the recording has no such events; the hint says how to get some. */
int io_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
