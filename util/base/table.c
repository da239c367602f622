// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/table.h"

void table_release(struct table *t)
{
	for vec_each(row, &t->rows)
		if (row->tree)
			vec_free(&row->tree->nodes);
	vec_free(&t->cols);
	vec_free(&t->rows);
	arena_release(&t->arena);
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
	return arena_strdup(&t->arena, text);
}
