// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "util/analysis/off-stacks-priv.h"

/* --- rows */

static const struct { const char *key, *title; } key_columns[OFF_N_KEYS] = {
	{ "comm", "Command" }, { "pid", "Pid" }, { "tid", "Tid" }, { "state", "State" },
	{ "stack", "Stack" }, { "waker", "Woken by" },
};

enum { N_TIMES = 4 };		/* those that there are without percentiles */

static void add_columns(const struct off_stacks *o, const struct off_table_opts *opts,
			struct table *t)
{
	static const char *const times[][2] = {
		{ "time_ns", "Time (s)" }, { "count", "Waits" }, { "avg_ns", "Average" },
		{ "max_ns", "Longest" }, { "p50_ns", "50%" }, { "p95_ns", "95%" },
		{ "p99_ns", "99%" },
	};
	struct column *c;

	t->key = "rows";
	c = table_add_column(t, "share", "Share");
	c->right = true;
	c->decimals = 2;
	for (size_t i = 0; i < (opts->percentiles ? ARRAY_SIZE(times) : N_TIMES); i++)
		table_add_column(t, times[i][0], times[i][1])->right = true;
	for (int i = 0; i < o->n_keys; i++) {
		const enum off_key k = o->keys[i];

		c = table_add_column(t, key_columns[k].key, key_columns[k].title);
		c->right = k == OFF_PID || k == OFF_TID;
		c->none = "";
		c->trim = true;
	}
}

static struct cell key_cell(const struct off_stacks *o, struct table *t, enum off_key k, u64 word)
{
	struct str text = STR_INIT;
	struct cell cell;

	switch (k) {
	case OFF_PID:
	case OFF_TID:
		return cell_int((s32)word);
	case OFF_STATE:
		return cell_text(off_state_names[word]);
	case OFF_STACK:
		stack_set_folded(&o->stacks, (u32)word, &text);
		cell = cell_text(table_text(t, str_cstr(&text)));
		str_release(&text);
		return cell;
	case OFF_COMM:
	case OFF_WAKER:
	case OFF_N_KEYS:
		break;
	}
	return cell_text((const char *)(uintptr_t)word);
}

/* With wakers a stack goes on at its innermost function with who woke the task, and the waker's
 * functions from the innermost one on, as it was next to the wait. */
static u32 add_waker(struct off_stacks *o, struct stack_tree *t, u32 at, const struct off_entry *e)
{
	const u64 *task = idset_at(&o->tasks, e->waker - 1);
	struct str text = STR_INIT;

	str_addf(&text, "[woken by %s %d]", (const char *)(uintptr_t)task[0], (s32)task[2]);
	at = cct_child(&t->tree, at, stack_set_frame(&o->stacks, str_cstr(&text), false));
	str_release(&text);
	return stack_tree_add(t, at, e->waker_node, true);
}

static void add_tree(struct off_stacks *o, const struct off_row *row,
		     const struct off_table_opts *opts, struct call_tree *out)
{
	struct stack_tree t;

	stack_tree_init(&t, &o->stacks);
	for (u32 i = row->first; i != OFF_NO_ENTRY; i = o->entries.v[i].next) {
		const struct off_entry *e = &o->entries.v[i];
		u32 at = stack_tree_add(&t, 0, e->node, opts->inverted);

		if (e->waker)
			at = add_waker(o, &t, at, e);
		stack_tree_count(&t, at, e->sum.ns, e->sum.n);
	}
	stack_tree_finish(&t, u64_of((double)o->total_ns * opts->min_pct / 100), out);
}

static double percent(u64 part, u64 of) { return of ? 100. * (double)part / (double)of : 0; }

static void add_row(struct off_stacks *o, const struct off_table_opts *opts, u32 r,
		    struct table *t)
{
	static const double shares[] = { .50, .95, .99 };
	const struct off_row *row = &o->rows.v[r];
	const u64 *words = idset_at(&o->row_ids, r);
	struct table_row *out = table_add_row(t);
	struct cell *cell = out->cells;

	*cell++ = cell_pct(percent(row->sum.ns, o->total_ns));
	*cell++ = cell_ns(row->sum.ns);
	*cell++ = cell_count(row->sum.n);
	*cell++ = cell_ns(row->sum.ns / row->sum.n);
	*cell++ = cell_ns(row->sum.max_ns);
	for (size_t i = 0; opts->percentiles && i < ARRAY_SIZE(shares); i++)
		*cell++ = cell_ns(ns_hist_percentile_ns(row->hist, shares[i], row->sum.max_ns));
	for (int i = 0; i < o->n_keys; i++)
		*cell++ = key_cell(o, t, o->keys[i], words[o->keys[i]]);
	if (!opts->no_trees) {
		out->tree = table_new_tree(t);
		add_tree(o, row, opts, out->tree);
	}
}

static int cmp_rows(const void *a, const void *b, void *ctx)
{
	const struct off_stacks *o = ctx;
	const u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const u64 v = o->rows.v[x].sum.ns, w = o->rows.v[y].sum.ns;

	return v != w ? (v > w ? -1 : 1) : (x > y) - (x < y);
}

static size_t count_tasks(const struct off_stacks *o)
{
	struct hmap tids = { 0 };
	size_t n;

	for (u32 i = 0; i < o->waited.n; i++)
		if (o->waited.v[i])
			hmap_put(&tids, idset_at(&o->tasks, i)[2], &tids);
	n = tids.n;
	hmap_release(&tids);
	return n;
}

static void add_facts(const struct off_stacks *o, struct table *t)
{
	struct cell *cell;

	t->key = "facts";
	table_add_column(t, "total_ns", "Time");
	table_add_column(t, "waits", "Waits");
	table_add_column(t, "tasks", "Tasks");
	cell = table_add_row(t)->cells;
	*cell++ = cell_ns(o->total_ns);
	*cell++ = cell_count(o->n_waits);
	*cell++ = cell_count(count_tasks(o));
}

void off_stacks_tables(struct off_stacks *o, const struct off_table_opts *opts,
		       struct off_stacks_tables *out)
{
	u32 *order;

	if (opts->goes_on)
		absences_cut(o->absences);
	else
		absences_end(o->absences);
	order = xcalloc(o->rows.n + 1, sizeof(*order));
	for (size_t i = 0; i < o->rows.n; i++)
		order[i] = (u32)i;
	qsort_r(order, o->rows.n, sizeof(*order), cmp_rows, o);
	add_facts(o, &out->facts);
	add_columns(o, opts, &out->rows);
	for (size_t i = 0; i < o->rows.n; i++)
		add_row(o, opts, order[i], &out->rows);
	out->total_ns = o->total_ns;
	free(order);
}

void off_stacks_tables_release(struct off_stacks_tables *t)
{
	table_release(&t->facts);
	table_release(&t->rows);
}
