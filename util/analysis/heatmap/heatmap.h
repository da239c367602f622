/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HEATMAP_H
#define ANALYSIS_HEATMAP_H
/*
 * How often something happened, by time (columns) and by another measure (rows): samples by where
 * in their second they fell, so that what lasts less than a second is seen, or pairs of events by
 * the time from one to the other. One owner.
 */
#include "util/analysis/flame/flame.h"
#include "util/base/vec.h"

enum heat_scale {
	HEAT_OFFSET,	/* row k begins row_ns * k after its column does */
	HEAT_LINEAR,	/* row k: from row_ns * k on */
	HEAT_LOG2,	/* row k: from 2^k ns on; row 0 from 0 on */
};

struct heat_cell { u32 col, row; u64 n; };
/* p: the least that so many of 100 (p[2]: 99.9) are at most; of none: 0 */
#define HEAT_N_PCT 4
extern const double heat_pct[HEAT_N_PCT];	/* 50 90 99 99.9 */
struct heat_summary { u64 n, pct[HEAT_N_PCT], max_ns; };

struct heatmap {
	enum heat_scale scale;
	u64 from_ns;			/* of column 0; a multiple of col_ns */
	u64 col_ns, row_ns;
	u32 n_cols, n_rows;		/* rows that have something end before n_rows */
	VEC(struct heat_cell) cells;	/* by column, row; without empty ones */
	struct heat_summary all;	/* HEAT_OFFSET: only n */
	VEC(struct heat_summary) cols;	/* by column; HEAT_OFFSET: none */
};

void heatmap_release(struct heatmap *h);
/* Samples of one event (NULL: of all) of a tree whose slices are as long as rows; columns are
 * seconds. t->slice_ns divides a second. */
void heat_of_samples(const struct flame_tree *t, const struct event *event, struct heatmap *out);

struct heat_pair { u64 end_ns, ns; };	/* when it ended, how long it took */
struct heat_axes {
	u64 col_ns;			/* 0: so that there are 100 columns, or somewhat fewer */
	/* 0: HEAT_LOG2; UINT64_MAX: about 20 rows. What would be too many becomes wider */
	u64 row_ns;
};
/* Column k has the pairs that ended in it. */
void heat_of_pairs(const struct heat_pair *v, size_t n, const struct heat_axes *a,
		   struct heatmap *out);
u64 heat_row_from_ns(const struct heatmap *h, u32 row);
u64 heat_max(const struct heatmap *h);		/* of the fullest cell */
/* The same with fewer columns or rows, each several of before; out->cols stays empty. */
void heat_coarse(const struct heatmap *h, u32 max_cols, u32 max_rows, struct heatmap *out);

#endif
