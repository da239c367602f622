// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "util/analysis/frame-cells.h"
#include "util/analysis/futex-priv.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"

static u64 average(const struct futex_row *r)
{
	return r->n ? r->total_ns / r->n : 0;
}

/* --- which rows */

static bool lock_matches(const struct futex_row *r, const char *text)
{
	u64 wanted;

	return (r->symbol && !strcmp(r->symbol, text)) ||
		(parse_hex(text, &wanted) && wanted == r->addr);
}

static bool is_wanted(const struct futex_model *m, const struct futex_row *r)
{
	bool type = !m->types.n, lock = !m->locks.n;

	for (size_t i = 0; i < m->types.n && !type; i++)
		type = !strcmp(m->types.v[i], futex_type(r));
	for (size_t i = 0; i < m->locks.n && !lock; i++)
		lock = lock_matches(r, m->locks.v[i]);
	return r->n && type && lock;
}

static u64 value(const struct futex_row *r, enum lock_field f)
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

/* What is equal stands in an order that no hash decides. */
static int compare(const void *a, const void *b, void *opts)
{
	const struct futex_row *x = *(const struct futex_row *const *)a,
		*y = *(const struct futex_row *const *)b;
	const enum lock_field key = ((const struct futex_opts *)opts)->key;
	const u64 v = value(x, key), w = value(y, key);

	if (v != w)
		return v > w ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int compare_parts(const void *a, const void *b)
{
	const struct futex_part *x = *(const struct futex_part *const *)a,
		*y = *(const struct futex_part *const *)b;

	if (x->total_ns != y->total_ns)
		return x->total_ns > y->total_ns ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return (x->n < y->n) - (x->n > y->n);
}

/* --- condition variables: glibc has two words in each, which it uses in turn */

static bool is_same_part(const struct futex_part *a, const struct futex_part *b)
{
	if (a->side != b->side || a->tid != b->tid || a->n_frames != b->n_frames)
		return false;
	for (u32 i = 0; i < a->n_frames; i++)
		if (a->frames[i].va != b->frames[i].va)
			return false;
	return true;
}

static void take_part(struct futex_row *to, struct futex_part *p)
{
	struct futex_part *q = to->parts;

	while (q && !is_same_part(q, p))
		q = q->next;
	if (q) {
		q->n += p->n;
		q->total_ns += p->total_ns;
		q->max_ns = MAX(q->max_ns, p->max_ns);
		return;
	}
	p->next = to->parts;
	to->parts = p;
	to->n_parts++;
}

/* from has nothing afterwards. */
static void take_row(struct futex_row *to, struct futex_row *from)
{
	if (from->addr < to->addr) {
		to->addr = from->addr;
		to->symbol = from->symbol;
	}
	to->n += from->n;
	to->total_ns += from->total_ns;
	to->max_ns = MAX(to->max_ns, from->max_ns);
	to->min_ns = MIN(to->min_ns, from->min_ns);
	to->n_timeouts += from->n_timeouts;
	ns_hist_merge(&to->hist, &from->hist);
	for (struct futex_part *p = from->parts, *next; p; p = next) {
		next = p->next;
		take_part(to, p);
	}
	from->parts = NULL;
	from->n = 0;
}

static void join_conditions(struct futex_model *m)
{
	struct hmap first = { NULL, NULL, 0, 0 };

	for vec_each(at, &m->rows) {
		struct futex_row *r = *at, *before;
		const u64 key = hash_u64(r->addr & ~7ULL) ^ r->pid;

		if (!r->n || strcmp(futex_type(r), "condition"))
			continue;
		before = hmap_get(&first, key);
		if (before)
			take_row(before, r);
		else
			hmap_put(&first, key, r);
	}
	hmap_release(&first);
}

/* --- rows */

static void add_columns(enum futexrec_rows by, bool percentiles, struct table *t)
{
	t->key = by == FUTEXREC_BY_LOCK ? "futexes" : "threads";
	table_add_column(t, "contended", "contended");
	table_add_column(t, "total_wait_ns", "total wait");
	table_add_column(t, "max_wait_ns", "max wait");
	table_add_column(t, "avg_wait_ns", "avg wait");
	table_add_column(t, "min_wait_ns", "min wait");
	if (percentiles)
		ns_hist_add_columns(t);
	table_add_column(t, "timeouts", "timeouts");
	if (by == FUTEXREC_BY_LOCK) {
		table_add_column(t, "type", "type");
		table_add_column(t, "address", "address");
		table_add_column(t, "symbol", "symbol");
		table_add_column(t, "dso", "dso");
		table_add_column(t, "pid", "pid");
		table_add_column(t, "holder_tid", "holder tid");
		table_add_column(t, "holder", "holder");
		table_add_column(t, "holder_pct", "holder share");
	} else {
		table_add_column(t, "tid", "tid");
		table_add_column(t, "comm", "comm");
		table_add_column(t, "pid", "pid");
	}
}

/* Who made others wait longest; of one thread the stacks do not matter. NULL: nobody knows. */
static const struct futex_part *main_holder(const struct futex_row *r, u64 *total_ns)
{
	const struct futex_part *best = NULL;

	*total_ns = 0;
	for (const struct futex_part *p = r->parts; p; p = p->next) {
		u64 ns = 0;

		if (p->side != FUTEXREC_HOLDER || !p->tid)
			continue;
		for (const struct futex_part *q = r->parts; q; q = q->next)
			if (q->side == FUTEXREC_HOLDER && q->tid == p->tid)
				ns += q->total_ns;
		if (!best || ns > *total_ns || (ns == *total_ns && p->tid < best->tid)) {
			best = p;
			*total_ns = ns;
		}
	}
	return best;
}

static void add_lock(const struct futex_row *r, struct cell *cell)
{
	u64 ns;
	const struct futex_part *holder = main_holder(r, &ns);

	*cell++ = cell_text(futex_type(r));
	*cell++ = cell_addr(r->addr);
	*cell++ = cell_text(r->symbol);
	*cell++ = cell_text(r->dso);
	*cell++ = cell_int((s32)r->pid);
	*cell++ = holder ? cell_int((s32)holder->tid) : (struct cell){ .kind = CELL_NONE };
	*cell++ = cell_text(holder ? holder->comm : NULL);
	*cell++ = cell_pct(r->total_ns ? 100.0 * (double)ns / (double)r->total_ns : 0);
}

static void add_row(const struct futex_model *m, const struct futex_row *r, bool percentiles,
		    struct table *t)
{
	struct cell *cell = table_add_row(t)->cells;

	*cell++ = cell_count(r->n);
	*cell++ = cell_ns(r->total_ns);
	*cell++ = cell_ns(r->max_ns);
	*cell++ = cell_ns(average(r));
	*cell++ = cell_ns(r->min_ns);
	if (percentiles)
		cell = ns_hist_add_cells(&r->hist, r->max_ns, cell);
	*cell++ = cell_count(r->n_timeouts);
	if (m->opts.by == FUTEXREC_BY_LOCK) {
		add_lock(r, cell);
		return;
	}
	*cell++ = cell_int(r->tid ? (s32)r->tid : -1);
	*cell++ = cell_text(r->tid ? r->comm : "Unknown");
	*cell++ = cell_int((s32)r->pid);
}

/* --- parts */

static void add_part_columns(struct table *t, const char *key)
{
	t->key = key;
	/* there the two are one table */
	table_add_column(t, "side", "side")->form = COL_NOT_IN_JSON;
	table_add_column(t, "row", "row");
	table_add_column(t, "contended", "contended");
	table_add_column(t, "total_wait_ns", "total wait");
	table_add_column(t, "max_wait_ns", "max wait");
	table_add_column(t, "tid", "tid");
	table_add_column(t, "comm", "comm");
	table_add_column(t, "stack", "stack")->form = COL_NOT_IN_CSV;
	table_add_column(t, "stack_addresses", "stack addresses")->form = COL_NOT_IN_CSV;
}

static void add_part(struct table *t, const struct futex_part *p, size_t row)
{
	struct cell *cell = table_add_row(t)->cells;

	*cell++ = cell_text(p->side == FUTEXREC_HOLDER ? "holder" : "waiter");
	*cell++ = cell_count(row);
	*cell++ = cell_count(p->n);
	*cell++ = cell_ns(p->total_ns);
	*cell++ = cell_ns(p->max_ns);
	*cell++ = cell_int(p->tid ? (s32)p->tid : -1);
	*cell++ = cell_text(p->tid ? p->comm : "Unknown");
	*cell++ = frame_cells(t, p->frames, p->n_frames, false);
	*cell++ = frame_cells(t, p->frames, p->n_frames, true);
}

static void add_parts(const struct futex_row *r, size_t row, struct futex_tables *out)
{
	const struct futex_part **sorted = xcalloc(r->n_parts + 1, sizeof(*sorted));
	size_t n = 0;

	for (const struct futex_part *p = r->parts; p; p = p->next)
		if (p->n)
			sorted[n++] = p;
	qsort(sorted, n, sizeof(*sorted), compare_parts);
	for (size_t i = 0; i < n; i++)
		add_part(sorted[i]->side == FUTEXREC_HOLDER ? &out->holders : &out->waiters,
			 sorted[i], row);
	free(sorted);
}

void futex_tables(struct futex_model *m, size_t n_rows, bool percentiles,
		  struct futex_tables *out)
{
	size_t n = 0;

	futex_events_end(m);
	if (m->opts.by == FUTEXREC_BY_LOCK)
		join_conditions(m);
	if (m->rows.n)
		qsort_r(m->rows.v, m->rows.n, sizeof(*m->rows.v), compare, &m->opts);
	add_columns(m->opts.by, percentiles, &out->rows);
	add_part_columns(&out->waiters, "waiters");
	add_part_columns(&out->holders, "holders");
	for vec_each(at, &m->rows) {
		if (!is_wanted(m, *at))
			continue;
		if (n_rows && n >= n_rows)
			break;
		add_row(m, *at, percentiles, &out->rows);
		add_parts(*at, n++, out);
	}
}

void futex_tables_release(struct futex_tables *t)
{
	table_release(&t->rows);
	table_release(&t->waiters);
	table_release(&t->holders);
}
