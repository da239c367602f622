// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "util/analysis/frame-cells.h"
#include "util/analysis/lock-priv.h"

static u64 average(const struct lock_row *r)
{
	return r->n ? r->total_ns / r->n : 0;
}

static u64 value(const struct lock_row *r, enum lock_field f)
{
	switch (f) {
	case LOCK_ACQUIRED:
	case LOCK_CONTENDED: return r->n;
	case LOCK_AVG_WAIT: return average(r);
	case LOCK_TOTAL_WAIT: return r->total_ns;
	case LOCK_MAX_WAIT: return r->max_ns;
	case LOCK_MIN_WAIT: return r->min_ns;
	case LOCK_N_FIELDS: break;
	}
	return 0;
}

static int compare(const void *a, const void *b, void *opts)
{
	const struct lock_row *x = *(const struct lock_row *const *)a,
		*y = *(const struct lock_row *const *)b;
	const struct lock_opts *o = opts;
	const u64 v = value(x, o->key), w = value(y, o->key);

	if (o->by_number && x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (o->by_number)
		return (x->tid > y->tid) - (x->tid < y->tid);
	if (v != w)
		return v > w ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void add_what(const struct lock_model *l, struct table *t, const struct lock_row *r,
		     struct cell *cell)
{
	switch (l->opts.by) {
	case LOCK_BY_CALLER:
		*cell++ = cell_text(r->type->name);
		*cell++ = r->n_frames ? cell_text(frame_cell_text(t, r->frames)) : cell_text(NULL);
		*cell++ = frame_cells(t, r->frames, r->n_frames, false);
		*cell++ = frame_cells(t, r->frames, r->n_frames, true);
		break;
	case LOCK_BY_OWNER:
		*cell++ = cell_int(r->comm ? (s32)r->tid : -1);
		*cell++ = cell_text(r->comm ? r->comm : "Unknown");
		break;
	case LOCK_BY_CGROUP:
		*cell++ = cell_count(r->cgroup);
		*cell++ = cell_text(r->name);
		break;
	case LOCK_BY_TASK:
		*cell++ = cell_int((s32)r->tid);
		*cell++ = cell_text(r->comm);
		break;
	case LOCK_BY_LOCK:
		*cell++ = cell_addr(r->addr);
		*cell++ = cell_text(r->name);
		*cell++ = cell_text(r->type->family);
		break;
	}
}

static void add_columns(enum lock_by by, bool percentiles, struct table *t)
{
	static const char *const what[][5] = {
		[LOCK_BY_CALLER] = { "type", "caller", "stack", "stack_addresses" },
		[LOCK_BY_TASK] = { "tid", "comm" },
		[LOCK_BY_LOCK] = { "address", "symbol", "type" },
		[LOCK_BY_OWNER] = { "tid", "comm" }, [LOCK_BY_CGROUP] = { "cgroup_id", "cgroup" },
	};

	t->key = "locks";
	table_add_column(t, "contended", "contended");
	table_add_column(t, "total_wait_ns", "total wait");
	table_add_column(t, "max_wait_ns", "max wait");
	table_add_column(t, "avg_wait_ns", "avg wait");
	table_add_column(t, "min_wait_ns", "min wait");
	if (percentiles)
		ns_hist_add_columns(t);
	for (int i = 0; what[by][i]; i++) {
		struct column *c = table_add_column(t, what[by][i], what[by][i]);

		c->form = str_has_prefix(what[by][i], "stack") ? COL_NOT_IN_CSV : 0;
	}
}

void lock_table(struct lock_model *l, struct table *out)
{
	for hmap_each(i, &l->waits)
		l->stats.n_unended += ((struct lock_wait *)l->waits.vals[i])->row != NULL;
	if (l->rows.n)
		qsort_r(l->rows.v, l->rows.n, sizeof(*l->rows.v), compare, &l->opts);
	add_columns(l->opts.by, l->opts.percentiles, out);
	for vec_each(at, &l->rows) {
		const struct lock_row *r = *at;
		struct cell *cell;

		if (!r->n)
			continue;
		cell = table_add_row(out)->cells;
		*cell++ = cell_count(r->n);
		*cell++ = cell_ns(r->total_ns);
		*cell++ = cell_ns(r->max_ns);
		*cell++ = cell_ns(average(r));
		*cell++ = cell_ns(r->min_ns);
		if (r->hist)
			cell = ns_hist_add_cells(r->hist, r->max_ns, cell);
		add_what(l, out, r, cell);
	}
}
