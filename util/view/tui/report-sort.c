// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of a group of events in the order of another of its events.
#include "util/view/tui/report-priv.h"

/* The first column of the event's shares; SIZE_MAX: there is none. */
static size_t column_of(const struct report_browser *b, unsigned member)
{
	for (size_t i = 0; i < b->table->cols.n; i++)
		if (b->table->cols.v[i].n_members > 1 && b->table->cols.v[i].member == member)
			return i;
	return SIZE_MAX;
}

struct order { const struct table *t; size_t column; };

static double value(const struct order *o, u32 row)
{
	const struct cell *c = &o->t->rows.v[row].cells[o->column];

	return c->kind == CELL_PCT || c->kind == CELL_NUM ? c->d :
		c->kind == CELL_COUNT ? (double)c->u : 0;
}

/* Of two that are equal the order of the table decides. */
static int cmp_rows(const void *pa, const void *pb, void *ctx)
{
	const u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	const double x = value(ctx, a), y = value(ctx, b);

	return x != y ? (x > y ? -1 : 1) : a < b ? -1 : a > b;
}

void report_sort(struct report_browser *b)
{
	struct order o = { b->table, b->sort_by ? column_of(b, b->sort_by) : SIZE_MAX };

	if (o.column != SIZE_MAX && b->shown.n)
		qsort_r(b->shown.v, b->shown.n, sizeof(u32), cmp_rows, &o);
}
