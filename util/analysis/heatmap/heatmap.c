// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/heatmap/heatmap.h"

#include <math.h>
#include <stdlib.h>

#include "util/base/xalloc.h"

#define SECOND 1000000000ULL
#define MOST_COLS 100
#define SOME_ROWS 20
/* of a map; more would be no picture */
#define ROOM_COLS (1U << 16)
#define ROOM_ROWS 512

const double heat_pct[HEAT_N_PCT] = { 50, 90, 99, 99.9 };

static int cmp_cells(const void *pa, const void *pb)
{
	const struct heat_cell *a = pa, *b = pb;

	if (a->col != b->col)
		return a->col > b->col ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Cells in the order in which things came, with n of each: sorted, each once. */
static void join_cells(struct heatmap *h)
{
	size_t n = 0;

	if (h->cells.n)
		qsort(h->cells.v, h->cells.n, sizeof(*h->cells.v), cmp_cells);
	for (size_t i = 0; i < h->cells.n; i++) {
		if (n && !cmp_cells(&h->cells.v[n - 1], &h->cells.v[i]))
			h->cells.v[n - 1].n += h->cells.v[i].n;
		else
			h->cells.v[n++] = h->cells.v[i];
	}
	h->cells.n = n;
	for vec_each(c, &h->cells) {
		h->n_cols = MAX(h->n_cols, c->col + 1);
		h->n_rows = MAX(h->n_rows, c->row + 1);
	}
}

void heat_of_samples(const struct flame_tree *t, const struct event *event, struct heatmap *out)
{
	const u64 rows = SECOND / t->slice_ns, first = t->first_ns / t->slice_ns;

	*out = (struct heatmap){ .scale = HEAT_OFFSET, .col_ns = SECOND, .row_ns = t->slice_ns,
				 .from_ns = t->first_ns - t->first_ns % SECOND };
	for vec_each(s, &t->sums) {
		const u64 at = first % rows + s->slice;

		if (event && t->tracks.v[s->track].event != event)
			continue;
		vec_push(&out->cells, ((struct heat_cell){ (u32)(at / rows), (u32)(at % rows),
							   s->n }));
		out->all.n += s->n;
	}
	join_cells(out);
	out->n_rows = (u32)rows;
}

/* ---- pairs ---- */

/* 1, 2 or 5 of a power of ten, at least ns. */
static u64 round_up(u64 ns)
{
	u64 unit = 1;

	while (unit < ns && unit <= UINT64_MAX / 100) {
		if (unit * 2 >= ns)
			return unit * 2;
		if (unit * 5 >= ns)
			return unit * 5;
		unit *= 10;
	}
	return unit;
}

static u32 row_of(const struct heatmap *h, u64 ns)
{
	if (h->scale == HEAT_LOG2)
		return ns ? 63 - (u32)__builtin_clzll(ns) : 0;
	return (u32)MIN(ns / h->row_ns, (u64)UINT32_MAX - 1);
}

static int cmp_ns(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static void sum_up(u64 *ns, size_t n, struct heat_summary *out)
{
	*out = (struct heat_summary){ .n = n };
	if (!n)
		return;
	qsort(ns, n, sizeof(*ns), cmp_ns);
	out->max_ns = ns[n - 1];
	for (size_t i = 0; i < HEAT_N_PCT; i++) {
		/* in tenths of a percent: 99.9% of 1000 are 999, not 999.0000001 */
		const u64 rank = ((u64)(heat_pct[i] * 10 + 0.5) * n + 999) / 1000;

		out->pct[i] = ns[MAX(rank, (u64)1) - 1];
	}
}

static int cmp_pairs(const void *pa, const void *pb)
{
	const struct heat_pair *a = pa, *b = pb;

	return (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

/* v by time. */
static void add_columns(struct heatmap *h, const struct heat_pair *v, size_t n)
{
	u64 *ns = xcalloc(n + 1, sizeof(*ns));
	size_t from = 0;

	for (u32 col = 0; col < h->n_cols; col++) {
		struct heat_summary *s = vec_add(&h->cols);
		size_t k = 0;

		while (from + k < n && (v[from + k].end_ns - h->from_ns) / h->col_ns == col) {
			ns[k] = v[from + k].ns;
			k++;
		}
		sum_up(ns, k, s);
		from += k;
	}
	for (size_t i = 0; i < n; i++)
		ns[i] = v[i].ns;
	sum_up(ns, n, &h->all);
	free(ns);
}

void heat_of_pairs(const struct heat_pair *pairs, size_t n, const struct heat_axes *a,
		   struct heatmap *out)
{
	struct heat_pair *v = xcalloc(n + 1, sizeof(*v));
	u64 most = 0, span;

	*out = (struct heatmap){ .scale = a->row_ns ? HEAT_LINEAR : HEAT_LOG2 };
	if (n) {
		memcpy(v, pairs, n * sizeof(*v));
		qsort(v, n, sizeof(*v), cmp_pairs);
	}
	span = n ? v[n - 1].end_ns - v[0].end_ns : 0;
	out->col_ns = a->col_ns ? MAX(a->col_ns, span / ROOM_COLS + 1) :
		round_up(span / MOST_COLS + 1);
	for (size_t i = 0; i < n; i++)
		most = MAX(most, v[i].ns);
	out->row_ns = a->row_ns == UINT64_MAX ? round_up(most / SOME_ROWS + 1) :
		a->row_ns ? MAX(a->row_ns, most / ROOM_ROWS + 1) : 0;
	out->from_ns = n ? v[0].end_ns - v[0].end_ns % out->col_ns : 0;
	for (size_t i = 0; i < n; i++)
		vec_push(&out->cells, ((struct heat_cell){
			(u32)((v[i].end_ns - out->from_ns) / out->col_ns),
			row_of(out, v[i].ns), 1 }));
	join_cells(out);
	add_columns(out, v, n);
	free(v);
}

/* ---- what it says ---- */

u64 heat_row_from_ns(const struct heatmap *h, u32 row)
{
	if (h->scale == HEAT_LOG2)
		return row ? 1ULL << row : 0;
	return row * h->row_ns;
}

u64 heat_max(const struct heatmap *h)
{
	u64 most = 0;

	for vec_each(c, &h->cells)
		most = MAX(most, c->n);
	return most;
}

void heat_coarse(const struct heatmap *h, u32 max_cols, u32 max_rows, struct heatmap *out)
{
	const u32 cols = (h->n_cols + max_cols - 1) / MAX(max_cols, 1U);
	const u32 rows = h->scale == HEAT_LOG2 ? 1 : (h->n_rows + max_rows - 1) / MAX(max_rows, 1U);

	*out = (struct heatmap){ .scale = h->scale, .from_ns = h->from_ns, .all = h->all,
				 .col_ns = h->col_ns * MAX(cols, 1U),
				 .row_ns = h->row_ns * MAX(rows, 1U) };
	for vec_each(c, &h->cells)
		vec_push(&out->cells, ((struct heat_cell){ c->col / MAX(cols, 1U),
							   c->row / MAX(rows, 1U), c->n }));
	join_cells(out);
	if (h->scale == HEAT_OFFSET)
		out->n_rows = (h->n_rows + rows - 1) / MAX(rows, 1U);
}

void heatmap_release(struct heatmap *h)
{
	vec_free(&h->cells);
	vec_free(&h->cols);
}
