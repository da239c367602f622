// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/findings.h"

#include "util/base/str.h"

static const char *const states[] = { "ok", "note", "bad" };

void findings_init(struct table *t)
{
	t->key = "findings";
	table_add_column(t, "state", "State");
	table_add_column(t, "check", "Check");
	table_add_column(t, "value", "Value");
	table_add_column(t, "finding", "Finding");
	table_add_column(t, "fix", "Fix");
}

static struct cell one_line(struct table *t, const char *text)
{
	struct str s = STR_INIT;
	struct cell c;

	if (!text)
		return (struct cell){ 0 };
	for (; *text; text += strcspn(text, "\n")) {
		if (*text == '\n') {
			text += strspn(text, "\n ");
			str_addch(&s, ' ');
		}
		str_addn(&s, text, strcspn(text, "\n"));
	}
	c = cell_text(table_text(t, str_cstr(&s)));
	str_release(&s);
	return c;
}

void finding_add(struct table *t, enum finding_state state, const char *check, const char *value,
		 const char *what, const char *fix)
{
	struct table_row *row = table_add_row(t);

	row->cells[0] = cell_text(states[state]);
	row->cells[1] = one_line(t, check);
	row->cells[2] = one_line(t, value);
	row->cells[3] = one_line(t, what);
	row->cells[4] = one_line(t, fix);
}

size_t findings_count(const struct table *t, enum finding_state state)
{
	size_t n = 0;

	for vec_each(row, &t->rows)
		n += row->cells[0].text == states[state];
	return n;
}
