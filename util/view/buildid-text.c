// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/buildid-text.h"

#include "util/view/draw.h"

#define ID_WIDTH 40		/* of SHA-1; blanks where it is not known */

static void add_text(struct str *out, const struct table *t)
{
	for vec_each(row, &t->rows) {
		const char *id = table_cell(t, row, "build_id")->text,
			*path = table_cell(t, row, "path")->text;
		const struct cell *start = table_cell(t, row, "start"),
			*end = table_cell(t, row, "end");

		if (id)
			str_add(out, id);
		else
			str_addchn(out, ' ', ID_WIDTH);
		if (start->kind == CELL_ADDR)
			str_addf(out, " %16llx %16llx", (unsigned long long)start->u,
				 (unsigned long long)end->u);
		if (path) {
			str_addch(out, ' ');
			str_add_safe(out, path);
		}
		str_addch(out, '\n');
	}
}

void buildid_show(struct str *out, const struct table *t, const struct table_output *o, bool whole)
{
	if (!table_output_data(o))
		add_text(out, t);
	else if (whole)
		draw_only_table(out, t, o);
}
