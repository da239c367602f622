/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HIST_NEST_PRIV_H
#define ANALYSIS_HIST_NEST_PRIV_H
/*
 * Inside of the histogram: an event's rows (struct result), and these as a tree (struct nest), a
 * level a key column. One owner.
 */
#include "util/analysis/hist/hist-priv.h"

struct member { const struct event *e; u64 total; u128 latency; };	/* what 100 % is */

struct result {
	struct hist *h;
	const struct hist_view_opts *opts;
	struct member *members;		/* of the group, or the one event */
	size_t n;
	struct hmap *rows;		/* per member: key of (gid, fid) -> row */
	struct table *t;
	VEC(const struct hist_row *) of;	/* by table row */
	size_t n_own;			/* rows of the event; those after them only members have */
	u32 classes;			/* of shares that any row of the event has, a bit each */
	u32 *order;			/* of the own rows, as numbers among the event's */
};

/* columns.c */
/* The columns of the key-th key column: one for each member, if it is a value. Yields the last. */
struct column *result_add_column(const struct result *r, struct table *t, size_t key);
u32 result_classes(const struct result *r);
/* The cells of the same for the m-th member; yields how many. */
size_t result_value_cells(const struct result *r, const struct key *k, size_t m,
			  const struct row_values *v, struct cell *cells);
/* The row with the same keys of a member of the group; NULL: it has none. */
const struct hist_row *result_member_row(const struct result *r, size_t m,
					 const struct hist_row *row);

/* What a row shows of its word for the key column k. */
void result_key_cell(const struct key *k, u64 word, const struct hist_row *row, struct table *t,
		     struct cell *out);

/* nest.c */
#define NEST_INNER UINT32_MAX
struct nest;
/* Fills t, which is empty and outlives it, as r does. */
struct nest *nest_new(const struct result *r, struct table *t);
void nest_free(struct nest *n);
/* What the cells have is of the rows that pass (by row of r's table), or NULL: of all. */
void nest_count(struct nest *n, const bool *passes);
/* Of a row of t: that of r's table; NEST_INNER: it holds others. */
u32 nest_flat(const struct nest *n, size_t row);
u32 nest_first(const struct nest *n, size_t row);	/* the same, or the first that it holds */
bool nest_has(const struct nest *n, size_t row, size_t key);	/* it has one value of that key */

#endif
