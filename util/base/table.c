// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/table.h"

static void call_tree_release(struct call_tree *t)
{
	vec_free(&t->nodes);
	vec_free(&t->ends);
}

/* What is not in the arena. */
static void release_row(struct table *t, const struct table_row *row)
{
	if (row->tree)
		call_tree_release(row->tree);
	for (size_t i = 0; i < t->cols.n; i++)
		if (row->cells[i].kind == CELL_LIST)
			table_release((struct table *)row->cells[i].list);
}

void table_cut_rows(struct table *t, size_t n)
{
	while (t->rows.n > n)
		release_row(t, &t->rows.v[--t->rows.n]);
}

void table_set_facts(struct table *t, const char *const *keys, const u64 *values, size_t n)
{
	struct cell *cells;

	for (size_t i = 0; i < n; i++)
		table_add_column(t, keys[i], keys[i]);
	cells = table_add_row(t)->cells;
	for (size_t i = 0; i < n; i++)
		cells[i] = cell_count(values[i]);
}

void table_clear_rows(struct table *t)
{
	table_cut_rows(t, 0);
	arena_release(&t->arena);
}

void table_release(struct table *t)
{
	table_clear_rows(t);
	vec_free(&t->cols);
	vec_free(&t->rows);
	memset(t, 0, sizeof(*t));
}

struct column *table_add_column(struct table *t, const char *key, const char *title)
{
	struct column *c = vec_add(&t->cols);

	c->key = key;
	c->title = title;
	return c;
}

struct table_row *table_add_row(struct table *t)
{
	struct table_row *row = vec_add(&t->rows);

	row->cells = arena_alloc(&t->arena, MAX(t->cols.n, (size_t)1) * sizeof(struct cell));
	return row;
}

struct call_tree *table_new_tree(struct table *t)
{
	return arena_alloc(&t->arena, sizeof(struct call_tree));
}

const char *table_text(struct table *t, const char *text)
{
	return text ? arena_strdup(&t->arena, text) : NULL;
}

struct table *table_new_list(struct table *t)
{
	return arena_alloc(&t->arena, sizeof(struct table));
}

const struct cell *table_cell(const struct table *t, const struct table_row *row, const char *key)
{
	for (size_t i = 0; i < t->cols.n; i++)
		if (!strcmp(t->cols.v[i].key, key))
			return &row->cells[i];
	return NULL;
}
