// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "util/analysis/flame/flame.h"
#include "util/analysis/heap-priv.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"

#define ERROR_DEVIATIONS 2

/* A row added up. */
struct row {
	const struct heap_row *of;
	struct heap_sum sums[HEAP_N_MEASURES];	/* of TIMES: as ALLOCATED */
	u64 freed_bytes;
	double times;
};

struct making {
	const struct heap_model *m;
	const struct heap_opts *o;
	struct heap_sum totals[HEAP_N_MEASURES];
};

static const double shares[] = { .50, .95, .99 };
static const char *const life_keys[] = { "life_p50_ns", "life_p95_ns", "life_p99_ns" };

static void add_sum(struct heap_sum *to, struct heap_sum s)
{
	to->bytes += s.bytes;
	to->var += s.var;
}

static void add_entry(const struct heap_model *m, const struct heap_entry *e,
		      struct heap_sum sums[HEAP_N_MEASURES])
{
	add_sum(&sums[HEAP_LIVE], e->now);
	add_sum(&sums[HEAP_LIVE], e->leak);
	add_sum(&sums[HEAP_LEAK], e->leak);
	add_sum(&sums[HEAP_PEAK], heap_peak_of(m, e));
	add_sum(&sums[HEAP_ALLOCATED], e->alloc);
	add_sum(&sums[HEAP_TIMES], e->alloc);
}

static u64 error_of(struct heap_sum s) { return u64_of(ERROR_DEVIATIONS * sqrt(MAX(s.var, 0.))); }

static u64 life_of(const struct heap_lives *l, double share)
{
	return ns_hist_percentile_ns(&l->hist, share, l->longest_ns);
}

static u64 round_of(double d) { return u64_of(d + .5); }

static u64 measured(const struct making *k, const struct heap_sum *sums, double times)
{
	return k->o->measure == HEAP_TIMES ? round_of(times) : sums[k->o->measure].bytes;
}

/* --- columns */

static struct column *add_number(struct table *t, const char *key, const char *title)
{
	struct column *c = table_add_column(t, key, title);

	c->right = true;
	return c;
}

static void add_columns(const struct heap_opts *o, struct table *t)
{
	static const char *const bytes[][2] = {
		{ "live_bytes", "Live" }, { "leak_bytes", "Leaked" }, { "peak_bytes", "At peak" },
		{ "alloc_bytes", "Allocated" }, { "freed_bytes", "Freed" },
	};
	static const char *const lives[] = { "Life 50%", "95%", "99%" };

	t->key = "rows";
	add_number(t, "share", "Share")->decimals = 2;
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++)
		add_number(t, bytes[i][0], bytes[i][1])->form = COL_BINARY_UNITS;
	add_number(t, "allocs", "Times");
	add_number(t, "error_bytes", "+-")->form = COL_BINARY_UNITS;
	for (size_t i = 0; o->percentiles && i < ARRAY_SIZE(lives); i++)
		add_number(t, life_keys[i], lives[i]);
	table_add_column(t, "function", "Function")->trim = true;
}

/* --- rows */

static u64 entry_measure(const struct making *k, const struct heap_entry *e)
{
	struct heap_sum sums[HEAP_N_MEASURES] = { { 0, 0 } };

	add_entry(k->m, e, sums);
	return measured(k, sums, e->times);
}

static void add_tree(const struct making *k, const struct row *row, struct call_tree *out)
{
	const u64 total = measured(k, k->totals, k->m->times);
	struct stack_tree t;

	stack_tree_init(&t, &k->m->stacks);
	for (u32 i = row->of->first; i != HEAP_NO_ENTRY; i = k->m->entries.v[i].next) {
		const struct heap_entry *e = &k->m->entries.v[i];
		const u64 value = entry_measure(k, e);

		if (value)
			stack_tree_count(&t, stack_tree_add(&t, 0, e->node, k->o->inverted), value,
					 round_of(e->times));
	}
	stack_tree_finish(&t, u64_of((double)total * k->o->min_pct / 100), out);
}

static void add_row(const struct making *k, const struct row *row, struct table *t)
{
	static const enum heap_measure bytes[] = { HEAP_LIVE, HEAP_LEAK, HEAP_PEAK,
						   HEAP_ALLOCATED };
	const u64 total = measured(k, k->totals, k->m->times);
	struct table_row *out = table_add_row(t);
	struct cell *cell = out->cells;

	*cell++ = cell_pct(total ? 100. * (double)measured(k, row->sums, row->times) /
			   (double)total : 0);
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++)
		*cell++ = cell_bytes(row->sums[bytes[i]].bytes);
	*cell++ = cell_bytes(row->freed_bytes);
	*cell++ = cell_count(round_of(row->times));
	*cell++ = cell_bytes(error_of(row->sums[k->o->measure]));
	for (size_t i = 0; k->o->percentiles && i < ARRAY_SIZE(shares); i++)
		*cell++ = cell_ns(life_of(row->of->lives, shares[i]));
	*cell++ = cell_text(row->of->function);
	if (k->o->stacks) {
		out->tree = table_new_tree(t);
		add_tree(k, row, out->tree);
	}
}

static int cmp_rows(const void *a, const void *b, void *ctx)
{
	const struct making *k = ctx;
	const struct row *x = a, *y = b;
	const u64 v = measured(k, x->sums, x->times), w = measured(k, y->sums, y->times);
	const u64 p = x->sums[HEAP_ALLOCATED].bytes, q = y->sums[HEAP_ALLOCATED].bytes;

	if (v != w)
		return v > w ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	return (x->of > y->of) - (x->of < y->of);
}

/* --- facts */

static void add_facts(const struct making *k, struct table *t)
{
	static const char *const keys[] = {
		"period_bytes", "samples", "processes", "alloc_bytes", "alloc_error_bytes",
		"allocs", "freed_bytes", "live_bytes", "live_error_bytes", "leak_bytes",
		"leak_error_bytes", "peak_bytes", "peak_error_bytes", "peak_ns", "life_p50_ns",
		"life_p95_ns", "life_p99_ns", "lost",
	};
	const struct heap_model *m = k->m;
	const struct heap_sum *s = k->totals;
	const u64 values[ARRAY_SIZE(keys)] = {
		m->period, m->n_samples, m->n_procs, s[HEAP_ALLOCATED].bytes,
		error_of(s[HEAP_ALLOCATED]), round_of(m->times), m->freed_bytes,
		s[HEAP_LIVE].bytes, error_of(s[HEAP_LIVE]), s[HEAP_LEAK].bytes,
		error_of(s[HEAP_LEAK]), m->peak.bytes, error_of(m->peak),
		m->peak_ns - m->first_ns,
		life_of(&m->lives, shares[0]), life_of(&m->lives, shares[1]),
		life_of(&m->lives, shares[2]), m->n_lost,
	};

	t->key = "facts";
	table_set_facts(t, keys, values, ARRAY_SIZE(keys));
}

void heap_tables(struct heap_model *m, const struct heap_opts *opts, struct heap_tables *out)
{
	struct row *rows = xcalloc(m->rows.n + 1, sizeof(*rows));
	struct making k = { .m = m, .o = opts };

	for (size_t i = 0; i < m->rows.n; i++)
		rows[i].of = &m->rows.v[i];
	for vec_each(e, &m->entries) {
		struct row *row = &rows[e->row];

		add_entry(m, e, row->sums);
		add_entry(m, e, k.totals);
		row->freed_bytes += e->freed_bytes;
		row->times += e->times;
	}
	qsort_r(rows, m->rows.n, sizeof(*rows), cmp_rows, &k);
	add_facts(&k, &out->facts);
	add_columns(opts, &out->rows);
	out->total = measured(&k, k.totals, m->times);
	for (size_t i = 0; i < m->rows.n; i++)
		if (measured(&k, rows[i].sums, rows[i].times))
			add_row(&k, &rows[i], &out->rows);
	free(rows);
}

void heap_tables_release(struct heap_tables *t)
{
	table_release(&t->facts);
	table_release(&t->rows);
}

/* --- a picture */

void heap_flame(struct heap_model *m, struct flame_tree *out)
{
	static const struct perf_event_attr attr = { .size = sizeof(attr),
						     .type = PERF_TYPE_SOFTWARE,
						     .config = PERF_COUNT_SW_BPF_OUTPUT };
	VEC(struct flame_stack) v = { NULL, 0, 0 };

	while (m->measures.events.n < HEAP_N_MEASURES)
		event_list_add(&m->measures, &attr, heap_measure_names[m->measures.events.n]);
	for vec_each(e, &m->entries) {
		struct heap_sum sums[HEAP_N_MEASURES] = { { 0, 0 } };

		add_entry(m, e, sums);
		for (int i = 0; i < HEAP_N_MEASURES; i++)
			if (i != HEAP_TIMES && sums[i].bytes)
				vec_push(&v, ((struct flame_stack){
					e->node, m->measures.events.v[i], sums[i].bytes, 1 }));
	}
	flame_of_stacks(&m->stacks, v.v, v.n, out);
	vec_free(&v);
}
