// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of several histograms, paired by the names of their keys.
#include "util/analysis/diff/diff-priv.h"

#include <math.h>

/* "cycles:u" and "cycles:ppp" are the same thing counted. Numbers of other types are not the same
 * on each machine. */
static bool counts_the_same(const struct event *a, const struct event *b)
{
	return a->attr.type == b->attr.type && a->attr.config == b->attr.config &&
		!a->dummy && !b->dummy &&
		(a->attr.type == PERF_TYPE_HARDWARE || a->attr.type == PERF_TYPE_SOFTWARE ||
		 a->attr.type == PERF_TYPE_HW_CACHE || a->attr.type == PERF_TYPE_RAW);
}

const struct event *diff_event(const struct event_list *from, const struct event *e,
			       const struct event_list *in)
{
	size_t nth = 0;

	for (size_t i = 0; i < from->events.n && from->events.v[i] != e; i++)
		nth += !strcmp(from->events.v[i]->name, e->name);
	for vec_each(x, &in->events)
		if (!strcmp((*x)->name, e->name) && !nth--)
			return *x;
	for vec_each(x, &in->events)
		if (counts_the_same(*x, e))
			return *x;
	return NULL;
}

/* ---- pairs ---- */

static bool is_shown_key(const struct key *k)
{
	return k->def->level != KEY_VALUE && !k->elided;
}

/* What a value of a key is called: the same in each recording. */
static void add_identity(struct str *s, const struct cell *c)
{
	switch ((enum cell_kind)c->kind) {
	case CELL_SYM:	/* what has no name is one row a file, wherever it is */
		str_add(s, c->reason ? "" : c->text);
		break;
	case CELL_TASK:
		str_addf(s, "%llu:%s", (unsigned long long)c->u, c->text ? c->text : "");
		break;
	case CELL_TEXT:
		str_add(s, c->text ? c->text : "");
		break;
	default:
		str_addf(s, "%llu", (unsigned long long)c->u);
	}
	str_addch(s, '\n');
}

static void row_identity(struct diffing *d, const struct diff_file *f, const struct hist_row *r)
{
	str_reset(&d->name);
	for (size_t i = 0; i < f->keys->cols.n; i++) {
		const struct key *k = &f->keys->cols.v[i];
		struct cell c;

		if (k->def->level == KEY_VALUE)
			continue;
		k->def->cell(k, hist_row_word(f->hist, r, i), d->out, &c);
		add_identity(&d->name, &c);
	}
}

static struct diff_row *row_named(struct diffing *d, const struct diff_file *f,
				  const struct hist_row *r)
{
	const char *name = str_cstr(&d->name);
	uintptr_t at = (uintptr_t)strmap_get(&d->by_name, name);
	struct diff_row *row;

	if (at)
		return &d->rows.v[at - 1];
	row = vec_add(&d->rows);
	row->of = f;
	row->row = r;
	row->sides = arena_alloc(&d->out->arena, d->n * sizeof(*row->sides));
	strmap_put(&d->by_name, name, (void *)(uintptr_t)d->rows.n);
	return row;
}

static void add_file(struct diffing *d, size_t i)
{
	const struct diff_file *f = &d->files[i];
	const size_t n = f->event ? hist_n_rows(f->hist, f->event) : 0;
	const struct key *symbol = hist_keys_find(f->keys, "symbol");

	if (f->event)
		d->total[i] = d->o->relative ? hist_filtered_total(f->hist, f->event) :
			hist_total(f->hist, f->event);
	for (size_t k = 0; k < n; k++) {
		const struct hist_row *r = hist_row(f->hist, f->event, k);
		struct diff_side *side;

		row_identity(d, f, r);
		side = &row_named(d, f, r)->sides[i];
		side->has = true;
		if (symbol && !side->sym)
			side->sym = (const void *)(uintptr_t)hist_row_word(f->hist, r,
				(size_t)(symbol - f->keys->cols.v));
		side->period += r->self;
		side->n += r->self_n;
	}
}

static bool has_pair(const struct diffing *d, const struct diff_row *r)
{
	for (size_t i = 1; i < d->n; i++)
		if (r->sides[i].has)
			return true;
	return false;
}

/* Rows that are not to be shown go; what is left of the baseline is 100 % of its column. */
static void keep_pairs(struct diffing *d)
{
	size_t n = 0;

	d->shown = (struct hist_total){ 0 };
	for (size_t i = 0; i < d->rows.n; i++) {
		const struct diff_row *r = &d->rows.v[i];

		if (!r->sides[0].has || !has_pair(d, r))
			continue;
		d->shown.period += r->sides[0].period;
		d->shown.n += r->sides[0].n;
		d->rows.v[n++] = *r;
	}
	d->rows.n = n;
}

/* ---- order ---- */

static int cmp_desc(double a, double b) { return a > b ? -1 : a < b; }

static int cmp_keys(const struct diff_row *a, const struct diff_row *b)
{
	const struct hist_keys *keys = a->of->keys;

	for (size_t i = 0; i < keys->cols.n; i++) {
		const struct key_def *def = keys->cols.v[i].def;
		u64 x, y;
		int c;

		if (def->level == KEY_VALUE)
			continue;
		x = hist_row_word(a->of->hist, a->row, i);
		y = hist_row_word(b->of->hist, b->row, i);
		c = def->cmp ? def->cmp(x, y) : x < y ? -1 : x > y;
		if (c)
			return c;
	}
	return 0;
}

/* By the column that was asked for: rows that have no value of it come after all that do, those
 * that have nothing of that file last. Then the baseline decides, then the keys. */
static int cmp_rows(const void *pa, const void *pb, void *ctx)
{
	const struct diffing *d = ctx;
	const struct diff_row *a = pa, *b = pb;
	size_t file = (size_t)d->o->order;
	double x, y;
	bool has_x, has_y;
	int c;

	if (d->o->compute == DIFF_CYCLES)
		file = 0;
	if (file && a->sides[file].has != b->sides[file].has)
		return a->sides[file].has ? -1 : 1;
	if (file) {
		has_x = diff_value(d, a, file, &x);
		has_y = diff_value(d, b, file, &y);
		if (has_x != has_y)
			return has_x ? -1 : 1;
		c = d->o->compute == DIFF_DELTA_ABS ? cmp_desc(fabs(x), fabs(y)) : cmp_desc(x, y);
		if (c && has_x)
			return c;
	}
	c = cmp_desc((double)a->sides[0].period, (double)b->sides[0].period);
	if (!c)
		c = cmp_keys(a, b);
	return c ? c : a->block < b->block ? -1 : a->block > b->block;
}

/* ---- the table ---- */

static void add_key_columns(struct diffing *d)
{
	const struct hist_keys *keys = d->files[0].keys;

	for (size_t i = 0; i < keys->cols.n; i++)
		if (is_shown_key(&keys->cols.v[i]))
			hist_add_column(&keys->cols.v[i], d->out);
}

static void fill_keys(struct diffing *d, const struct diff_row *r, struct cell *cells)
{
	const struct hist_keys *keys = r->of->keys;

	for (size_t i = 0; i < keys->cols.n; i++) {
		const struct key *k = &keys->cols.v[i];

		if (is_shown_key(k))
			k->def->cell(k, hist_row_word(r->of->hist, r->row, i), d->out, cells++);
	}
}

void diff_table(const struct diff_file *files, size_t n, const struct diff_opts *o,
		struct table *out)
{
	struct diffing d = { .files = files, .n = n, .o = o, .out = out };

	d.total = xcalloc(n, sizeof(*d.total));
	for (size_t i = 0; i < n; i++)
		add_file(&d, i);
	d.shown = d.total[0];
	if (o->baseline_only)
		keep_pairs(&d);
	if (o->compute == DIFF_CYCLES)
		diff_make_blocks(&d);
	if (d.rows.n)
		qsort_r(d.rows.v, d.rows.n, sizeof(*d.rows.v), cmp_rows, &d);
	diff_add_columns(&d);
	add_key_columns(&d);
	for vec_each(r, &d.rows) {
		struct table_row *row = table_add_row(out);
		struct cell *cells = row->cells;

		row->hidden = r->hidden;
		fill_keys(&d, r, cells + diff_fill_cells(&d, r, cells));
	}
	strmap_release(&d.by_name);
	str_release(&d.name);
	vec_free(&d.rows);
	free(d.total);
}
