/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FUTEX_PRIV_H
#define ANALYSIS_FUTEX_PRIV_H
/*
 * The model of waits for futexes: futex.c fills it from sums, futex-table.c makes tables of it.
 */
#include "util/analysis/futex.h"
#include "util/analysis/ns-hist.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/words.h"

/* What one thread did with one stack. */
struct futex_part {
	u64 n, total_ns, max_ns;
	u32 side, tid;			/* side: enum futexrec_side */
	const char *comm;		/* NULL: nobody knows who */
	struct location *frames;	/* innermost first */
	u32 n_frames;
	struct futex_part *next;
};

struct futex_row {
	u64 n, total_ns, max_ns, min_ns, n_timeouts;
	u64 addr;
	u32 pid, tid;
	const char *comm;
	const char *type;		/* NULL: as yet unknown; then by kind */
	u32 kind;			/* enum futexrec_kind */
	const char *symbol, *dso;	/* NULL: none */
	struct futex_part *parts;
	size_t n_parts, order;
	struct ns_hist hist;
};

struct futex_model {
	struct futex_opts opts;
	struct sink sink;
	word_list types, locks;
	struct hmap by_key, parts;	/* of rows; of parts, by row and what they are */
	VEC(struct futex_row *) rows;
	u64 n_waits;
	struct arena arena;
};

/* What it is called. */
const char *futex_type(const struct futex_row *r);

#endif
