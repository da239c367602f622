/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_IO_PRIV_H
#define ANALYSIS_IO_PRIV_H
/*
 * Between io.c (events come) and io-table.c (tables are made of them).
 */
#include "util/analysis/io.h"
#include "util/analysis/ns-hist.h"
#include "util/analysis/stack-set.h"
#include "util/event/per-event.h"

enum { IO_OPS = 5 };
extern const char *const io_op_names[IO_OPS];		/* "read" */

struct io_row {
	u64 n, bytes, ns, max_ns, queue_ns;
	struct ns_hist hist;
	u32 first;			/* of its entries, linked by next; IO_NO_ENTRY: none */
};

/* Of a row: those of one call chain. */
struct io_entry { u64 ns, n; u32 node, next; };
#define IO_NO_ENTRY UINT32_MAX

/* One that was begun. */
struct io_request {
	u64 start_ns, issue_ns, sector;		/* issue 0: it is in the queue */
	u32 dev, n_sectors, bytes, task, node;
	u8 op;
	struct io_request *next;	/* of the same device and sector, begun later; or spare */
};

struct io_model {
	struct io_opts opts;
	int keys[IO_N_KEYS];		/* enum io_key */
	int n_keys;
	struct sink sink;
	struct io_stats stats;
	bool swap;
	struct per_event events;	/* struct ev */
	struct stack_set stacks;
	struct idset tasks;		/* comm, pid, tid */
	struct hmap open;		/* device and sector -> struct io_request, the first */
	struct io_request *spare;
	struct idset row_ids;		/* a word for each of enum io_key, 0: no key */
	VEC(struct io_row *) rows;
	struct idset entry_ids;		/* row, node */
	VEC(struct io_entry) entries;
	struct arena arena, row_arena;
};

#endif
