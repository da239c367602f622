// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/list-text.h"

static const char *text_of(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->text;	/* NULL: absent */
}

static void add_event(struct str *out, const struct table *t, const struct table_row *row,
		      const struct list_text_opts *o)
{
	const char *alias = text_of(t, row, "EventAlias"),
		*desc = text_of(t, row, "BriefDescription");
	const char *encoding = text_of(t, row, "Encoding");
	struct str name = STR_INIT;

	str_add_safe(&name, text_of(t, row, "EventName"));
	if (alias)
		str_addf(&name, " OR %s", alias);
	str_addf(out, "  %-50s [%s]%s\n", str_cstr(&name), text_of(t, row, "EventType"),
		 table_cell(t, row, "Supported")->kind == CELL_ABSENT ? "" :
		 " (not supported here)");
	if (o->desc && desc)
		str_addf(out, "       [%s]\n", desc);
	if (o->details && encoding) {
		str_add(out, "        ");
		str_add_safe(out, encoding);
		str_addch(out, '\n');
	}
	str_release(&name);
}

void list_text(struct str *out, const struct table *t, const struct list_text_opts *o)
{
	for vec_each(row, &t->rows) {
		if (!o->names_only)
			add_event(out, t, row, o);
		else
			str_addf(out, "%s%s", row == t->rows.v ? "" : " ",
				 text_of(t, row, "EventName"));
	}
}
