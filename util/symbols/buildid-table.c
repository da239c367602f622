// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/buildid-table.h"

#include <stdlib.h>

#include "util/base/str.h"

void buildid_table_begin(struct table *t)
{
	t->key = "build_ids";
	table_add_column(t, "build_id", "Build-id");
	table_add_column(t, "start", "Start");
	table_add_column(t, "end", "End");
	table_add_column(t, "path", "Path");
}

struct table_row *buildid_table_add(struct table *t, const u8 *id, size_t n, const char *path)
{
	struct table_row *row = table_add_row(t);
	struct str hex = STR_INIT;

	for (size_t i = 0; i < n; i++)
		str_add_hex(&hex, id[i], 2);
	row->cells[BUILDID_COLUMN_ID] = n ? cell_text(table_text(t, str_cstr(&hex))) :
		(struct cell){ .kind = CELL_NONE };
	row->cells[BUILDID_COLUMN_START] = row->cells[BUILDID_COLUMN_END] = cell_absent();
	row->cells[BUILDID_COLUMN_PATH] = path ? cell_text(table_text(t, path)) : cell_absent();
	str_release(&hex);
	return row;
}

/* What is not known comes first, as its blanks do in text. */
static int by_path(const void *pa, const void *pb)
{
	const struct cell *a = ((const struct table_row *)pa)->cells,
		*b = ((const struct table_row *)pb)->cells;
	const char *x = a[BUILDID_COLUMN_ID].text, *y = b[BUILDID_COLUMN_ID].text;
	const int c = strcmp(a[BUILDID_COLUMN_PATH].text, b[BUILDID_COLUMN_PATH].text);

	return c ? c : strcmp(x ? x : "", y ? y : "");
}

void buildid_table_sort(struct table *t)
{
	size_t n = 0;

	if (t->rows.n)
		qsort(t->rows.v, t->rows.n, sizeof(*t->rows.v), by_path);
	for (size_t i = 0; i < t->rows.n; i++)
		if (!n || by_path(&t->rows.v[n - 1], &t->rows.v[i]))
			t->rows.v[n++] = t->rows.v[i];
	t->rows.n = n;
}
