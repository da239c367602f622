// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "util/analysis/io-priv.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"

static const struct { const char *key, *title; } key_columns[IO_N_KEYS] = {
	{ "comm", "Command" }, { "pid", "Pid" }, { "tid", "Tid" }, { "device", "Device" },
	{ "op", "What" }, { "size_from", "Size from" },
};
static const struct { const char *key, *title; double share; } times[] = {
	{ "time_ns", "Time (s)", 0 }, { "avg_ns", "Average", 0 }, { "max_ns", "Longest", 0 },
	{ "queue_avg_ns", "In queue", 0 }, { "p50_ns", "50%", .50 }, { "p95_ns", "95%", .95 },
	{ "p99_ns", "99%", .99 },
};
enum { FIRST_PERCENTILE = 4 };

static void add_columns(const struct io_model *m, const struct io_table_opts *opts,
			struct table *t)
{
	struct column *c;

	t->key = "rows";
	c = table_add_column(t, "share", "Share");
	c->right = true;
	c->decimals = 2;
	table_add_column(t, "requests", "Requests")->right = true;
	c = table_add_column(t, "bytes", "Bytes");
	c->right = true;
	c->form = COL_BINARY_UNITS;
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (i < FIRST_PERCENTILE || opts->percentiles)
			table_add_column(t, times[i].key, times[i].title)->right = true;
	for (int i = 0; i < m->n_keys; i++) {
		const enum io_key k = m->keys[i];

		c = table_add_column(t, key_columns[k].key, key_columns[k].title);
		c->right = k == IO_PID || k == IO_TID || k == IO_SIZE;
		c->form = k == IO_SIZE ? COL_BINARY_UNITS : 0;
		c->trim = true;
	}
}

static struct cell key_cell(struct table *t, enum io_key k, u64 word)
{
	struct str text = STR_INIT;
	struct cell cell;

	switch (k) {
	case IO_PID:
	case IO_TID:
		return cell_int((s32)word);
	case IO_OP:
		return cell_text(io_op_names[word]);
	case IO_SIZE:
		return cell_bytes(word);
	case IO_DEVICE:
		tp_add_dev(&text, (u32)word);
		cell = cell_text(table_text(t, str_cstr(&text)));
		str_release(&text);
		return cell;
	case IO_COMM:
	case IO_N_KEYS:
		break;
	}
	return cell_text((const char *)(uintptr_t)word);
}

static void add_tree(const struct io_model *m, const struct io_row *row,
		     const struct io_table_opts *opts, struct call_tree *out)
{
	struct stack_tree tree;

	stack_tree_init(&tree, &m->stacks);
	for (u32 i = row->first; i != IO_NO_ENTRY; i = m->entries.v[i].next) {
		const struct io_entry *e = &m->entries.v[i];

		stack_tree_count(&tree, stack_tree_add(&tree, 0, e->node, opts->inverted), e->ns,
				 e->n);
	}
	stack_tree_finish(&tree, u64_of((double)m->stats.total_ns * opts->min_pct / 100), out);
}

static void add_row(const struct io_model *m, const struct io_table_opts *opts, u32 id,
		    struct table *t)
{
	const struct io_row *row = m->rows.v[id];
	const u64 *words = idset_at(&m->row_ids, id);
	const u64 total = m->stats.total_ns;
	struct table_row *out = table_add_row(t);
	struct cell *cell = out->cells;

	*cell++ = cell_pct(total ? 100. * (double)row->ns / (double)total : 0);
	*cell++ = cell_count(row->n);
	*cell++ = cell_bytes(row->bytes);
	*cell++ = cell_ns(row->ns);
	*cell++ = cell_ns(row->ns / row->n);
	*cell++ = cell_ns(row->max_ns);
	*cell++ = cell_ns(row->queue_ns / row->n);
	for (size_t i = FIRST_PERCENTILE; opts->percentiles && i < ARRAY_SIZE(times); i++)
		*cell++ = cell_ns(ns_hist_percentile_ns(&row->hist, times[i].share, row->max_ns));
	for (int i = 0; i < m->n_keys; i++)
		*cell++ = key_cell(t, m->keys[i], words[m->keys[i]]);
	if (m->opts.chains) {
		out->tree = table_new_tree(t);
		add_tree(m, row, opts, out->tree);
	}
}

static int cmp_rows(const void *a, const void *b, void *ctx)
{
	const struct io_model *m = ctx;
	const u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const u64 v = m->rows.v[x]->ns, w = m->rows.v[y]->ns;

	return v != w ? (v > w ? -1 : 1) : (x > y) - (x < y);
}

static void add_facts(const struct io_stats *st, struct table *t)
{
	struct cell *cell;

	t->key = "facts";
	table_add_column(t, "requests", "Requests");
	table_add_column(t, "bytes", "Bytes");
	table_add_column(t, "total_ns", "Time");
	table_add_column(t, "unended", "Without end");
	table_add_column(t, "unbegun", "Without beginning");
	cell = table_add_row(t)->cells;
	*cell++ = cell_count(st->n_requests);
	*cell++ = cell_bytes(st->bytes);
	*cell++ = cell_ns(st->total_ns);
	*cell++ = cell_count(st->n_unended);
	*cell++ = cell_count(st->n_unbegun);
}

void io_tables(struct io_model *m, const struct io_table_opts *opts, struct io_tables *out)
{
	u32 *order = xcalloc(m->rows.n + 1, sizeof(*order));
	struct ns_hist all = { { 0 } };

	m->stats.n_unended = 0;
	for hmap_each(i, &m->open)
		for (const struct io_request *r = m->open.vals[i]; r; r = r->next)
			m->stats.n_unended++;
	for (size_t i = 0; i < m->rows.n; i++) {
		order[i] = (u32)i;
		ns_hist_merge(&all, &m->rows.v[i]->hist);
	}
	qsort_r(order, m->rows.n, sizeof(*order), cmp_rows, m);
	add_facts(&m->stats, &out->facts);
	add_columns(m, opts, &out->rows);
	for (size_t i = 0; i < m->rows.n; i++)
		add_row(m, opts, order[i], &out->rows);
	ns_hist_table(&all, &out->histogram);
	free(order);
}

void io_tables_release(struct io_tables *t)
{
	table_release(&t->facts);
	table_release(&t->rows);
	table_release(&t->histogram);
}
