// SPDX-License-Identifier: GPL-2.0-or-later
// Rows by slices of time.
#include "util/analysis/hist/by-time.h"

#include <math.h>

#include "util/analysis/hist/hist-priv.h"

struct slice { u64 period, n; };

struct time_row {
	const struct hist_row *row;	/* one of those with its keys */
	u64 self, sum, n;
	struct slice *slices;
};

struct by_time {
	const struct hist *h;
	const struct hist_keys *keys;
	const struct by_time_opts *o;
	struct table *out;
	size_t time;			/* key column */
	VEC(struct time_row) rows;
	struct strmap by_keys;		/* row + 1 */
	struct slice *all;		/* by slice, of rows that share no samples */
	struct str name;
	u64 total;
};

static bool is_key(const struct by_time *b, size_t i)
{
	return b->keys->cols.v[i].def->level != KEY_VALUE && i != b->time;
}

static size_t slice_of(const struct by_time *b, const struct hist_row *r)
{
	const u64 slice = hist_row_word(b->h, r, b->time) / b->o->slice_ns;

	return MIN(slice, (u64)b->o->n_slices - 1);
}

static struct time_row *row_of(struct by_time *b, const struct hist_row *r)
{
	struct time_row *row;
	uintptr_t at;

	str_reset(&b->name);
	for (size_t i = 0; i < b->keys->cols.n; i++)
		if (is_key(b, i))
			str_addf(&b->name, "%llx,",
				 (unsigned long long)hist_row_word(b->h, r, i));
	at = (uintptr_t)strmap_get(&b->by_keys, str_cstr(&b->name));
	if (at)
		return &b->rows.v[at - 1];
	row = vec_add(&b->rows);
	row->row = r;
	row->slices = arena_alloc(&b->out->arena, b->o->n_slices * sizeof(*row->slices));
	strmap_put(&b->by_keys, str_cstr(&b->name), (void *)(uintptr_t)b->rows.n);
	return row;
}

static void add_rows(struct by_time *b, const struct event *e)
{
	for (size_t i = 0; i < hist_n_rows(b->h, e); i++) {
		const struct hist_row *r = hist_row(b->h, e, i);
		struct time_row *row = row_of(b, r);
		const size_t k = slice_of(b, r);

		row->self += r->self;
		row->sum += r->sum;
		row->n += r->self_n;
		row->slices[k].period += b->h->opts.children && !b->o->outliers ? r->sum : r->self;
		row->slices[k].n += r->self_n;
		b->all[k].period += r->self;
		b->all[k].n += r->self_n;
	}
}

static int by_weight(const void *pa, const void *pb, void *ctx)
{
	const struct by_time *b = ctx;
	const struct time_row *x = pa, *y = pb;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	for (size_t i = 0; i < b->keys->cols.n; i++) {
		const u64 u = hist_row_word(b->h, x->row, i), v = hist_row_word(b->h, y->row, i);
		const struct key_def *def = b->keys->cols.v[i].def;
		const int c = !is_key(b, i) ? 0 : def->cmp ? def->cmp(u, v) : u < v ? -1 : u > v;

		if (c)
			return c;
	}
	return 0;
}

static double pct_of(u64 part, u64 all) { return all ? (double)part * 100 / (double)all : 0; }

/* ---- rows, with when they were ---- */

static struct column *add_value(struct table *t, const char *key, const char *title, u16 width)
{
	struct column *c = table_add_column(t, key, title);

	c->right = true;
	c->decimals = 2;
	c->width = width;
	return c;
}

static void add_columns(struct by_time *b)
{
	struct column *c;

	if (b->h->opts.children)
		add_value(b->out, "overhead_children", "Children", 8);
	add_value(b->out, "overhead", b->h->opts.children ? "Self" : "Overhead", 8);
	c = table_add_column(b->out, "by_time", "Time");
	c->form = COL_SPARK;
	c->min_width = (u16)b->o->n_slices;
	for (size_t i = 0; i < b->keys->cols.n; i++)
		if (is_key(b, i) && !b->keys->cols.v[i].elided)
			hist_add_column(&b->keys->cols.v[i], b->out);
}

static struct cell periods(struct by_time *b, const struct time_row *r)
{
	struct table *list = table_new_list(b->out);

	table_add_column(list, "period", "Period");
	for (unsigned k = 0; k < b->o->n_slices; k++)
		table_add_row(list)->cells[0] = cell_count(r->slices[k].period);
	return cell_list(list);
}

static void fill_row(struct by_time *b, const struct time_row *r)
{
	struct table_row *row = table_add_row(b->out);
	struct cell *cell = row->cells;

	if (b->h->opts.children)
		*cell++ = cell_pct(pct_of(r->sum, b->total));
	*cell++ = cell_pct(pct_of(r->self, b->total));
	*cell++ = periods(b, r);
	for (size_t i = 0; i < b->keys->cols.n; i++) {
		const struct key *k = &b->keys->cols.v[i];

		if (is_key(b, i) && !k->elided)
			k->def->cell(k, hist_row_word(b->h, r->row, i), b->out, cell++);
	}
	row->hidden = pct_of(r->sum, b->total) < b->o->min_pct;
}

static void make_rows(struct by_time *b)
{
	add_columns(b);
	for vec_each(r, &b->rows)
		fill_row(b, r);
}

/* ---- slices that are unlike the others ---- */

/* percent; bound: chance alone makes no more of it, but for one recording of a hundred */
struct unlike { unsigned slice; double differs, chance, bound; };
#define FALSE_ALARMS .01

/* Half of the sum of all differences of shares: 0 the same, 100 nothing in common. */
static struct unlike compare(const struct by_time *b, unsigned k, const struct slice *all)
{
	const struct slice *is = &b->all[k];
	const double n = (double)is->n, rest = (double)(all->n - is->n);
	struct unlike u = { .slice = k };

	if (!is->period || all->period == is->period)
		return u;
	for vec_each(r, &b->rows) {
		const u64 here = r->slices[k].period;
		const double share = (double)r->n / (double)all->n;

		u.differs += fabs(pct_of(here, is->period) -
				  pct_of(r->self - here, all->period - is->period));
		/* the mean of what a difference is that chance makes */
		u.chance += 100 * sqrt(2 / M_PI * share * (1 - share) * (1 / n + 1 / rest));
	}
	u.differs /= 2;
	u.chance /= 2;
	/* Another function in one sample changes the difference by 1/n at most: McDiarmid's
	 * inequality, which holds for any number of samples and functions, one of the slices. */
	u.bound = u.chance + 100 * sqrt(log(b->o->n_slices / FALSE_ALARMS) / 2 *
					(1 / n + 1 / rest));
	return u;
}

static int by_excess(const void *pa, const void *pb)
{
	const struct unlike *a = pa, *b = pb;
	const double x = a->differs - a->chance, y = b->differs - b->chance;

	return x > y ? -1 : x < y ? 1 : a->slice < b->slice ? -1 : 1;
}

struct change { const struct time_row *row; double points; };

static int by_size(const void *pa, const void *pb)
{
	const double x = fabs(((const struct change *)pa)->points),
		y = fabs(((const struct change *)pb)->points);

	return x > y ? -1 : x < y;
}

/* Of the last key: mostly the function. */
static const char *row_name(struct by_time *b, const struct time_row *r)
{
	struct cell c = { 0 };

	for (size_t i = 0; i < b->keys->cols.n; i++)
		if (is_key(b, i))
			b->keys->cols.v[i].def->cell(&b->keys->cols.v[i],
						     hist_row_word(b->h, r->row, i), b->out, &c);
	if (c.kind == CELL_TEXT || c.kind == CELL_SYM || c.kind == CELL_TASK)
		return c.text ? c.text : "";
	str_reset(&b->name);
	str_addf(&b->name, "%lld", (long long)c.s);
	return table_text(b->out, str_cstr(&b->name));
}

#define N_CHANGES 3

static struct cell largest_changes(struct by_time *b, unsigned k, const struct slice *all)
{
	struct change *v = xcalloc(b->rows.n + 1, sizeof(*v));
	struct table *list = table_new_list(b->out);
	struct column *c;

	table_add_column(list, "name", "Name");
	c = table_add_column(list, "change_pct", "Change");
	c->form = COL_PLUS_SIGN;
	c->decimals = 1;
	for (size_t i = 0; i < b->rows.n; i++) {
		const struct time_row *r = &b->rows.v[i];
		const u64 here = r->slices[k].period;

		v[i].row = r;
		v[i].points = pct_of(here, b->all[k].period) -
			pct_of(r->self - here, all->period - b->all[k].period);
	}
	qsort(v, b->rows.n, sizeof(*v), by_size);
	for (size_t i = 0; i < MIN(b->rows.n, (size_t)N_CHANGES); i++) {
		struct table_row *row = table_add_row(list);

		row->cells[0] = cell_text(row_name(b, v[i].row));
		row->cells[1] = cell_pct(v[i].points);
	}
	free(v);
	return cell_list(list);
}

static void add_outlier_columns(struct table *t)
{
	add_value(t, "differs_pct", "Differs", 8);
	add_value(t, "chance_pct", "By chance", 9);
	add_value(t, "samples", "Samples", 0);
	add_value(t, "from_ns", "From", 0)->decimals = 6;
	add_value(t, "to_ns", "To", 0)->decimals = 6;
	table_add_column(t, "changes", "What is different")->trim = true;
}

static void make_outliers(struct by_time *b)
{
	struct unlike *v = xcalloc(b->o->n_slices, sizeof(*v));
	struct slice all = { 0 };

	add_outlier_columns(b->out);
	for (unsigned k = 0; k < b->o->n_slices; k++) {
		all.period += b->all[k].period;
		all.n += b->all[k].n;
	}
	for (unsigned k = 0; k < b->o->n_slices; k++)
		v[k] = compare(b, k, &all);
	qsort(v, b->o->n_slices, sizeof(*v), by_excess);
	for (unsigned i = 0; i < b->o->n_slices && b->out->rows.n < b->o->n_outliers; i++) {
		const u64 from = b->o->first_ns + v[i].slice * b->o->slice_ns;
		struct cell *cells;

		if (v[i].differs <= v[i].bound)
			continue;
		cells = table_add_row(b->out)->cells;
		cells[0] = cell_pct(v[i].differs);
		cells[1] = cell_pct(v[i].chance);
		cells[2] = cell_count(b->all[v[i].slice].n);
		cells[3] = cell_ns(from);
		cells[4] = cell_ns(from + b->o->slice_ns);
		cells[5] = largest_changes(b, v[i].slice, &all);
	}
	free(v);
}

void hist_by_time(const struct hist *h, const struct event *e, const struct by_time_opts *o,
		  struct table *out)
{
	const struct hist_total total = o->relative ? hist_filtered_total(h, e) : hist_total(h, e);
	struct by_time b = { .h = h, .keys = h->opts.keys, .o = o, .out = out,
			     .total = total.period };

	b.time = (size_t)(hist_keys_find(b.keys, "time") - b.keys->cols.v);
	b.all = xcalloc(o->n_slices, sizeof(*b.all));
	add_rows(&b, e);
	if (b.rows.n)
		qsort_r(b.rows.v, b.rows.n, sizeof(*b.rows.v), by_weight, &b);
	if (o->outliers)
		make_outliers(&b);
	else
		make_rows(&b);
	free(b.all);
	vec_free(&b.rows);
	strmap_release(&b.by_keys);
	str_release(&b.name);
}
