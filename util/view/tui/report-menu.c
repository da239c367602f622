// SPDX-License-Identifier: GPL-2.0-or-later
// The menu of what can be done with the row at the cursor.
#include "util/base/str.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/report-priv.h"

struct menu {
	VEC(char *) items;
	VEC(char) keys;		/* what an item does */
};

static void add_item(struct menu *m, char key, struct str *text)
{
	vec_push(&m->items, xstrdup(str_cstr(text)));
	vec_push(&m->keys, key);
	str_reset(text);
}

static void add_zoom(struct report_browser *b, struct menu *m, char what, const char *kind,
		     const char *hint)
{
	struct str name = STR_INIT, text = STR_INIT;
	bool out;

	if (report_zoom_name(b, what, &name, &out)) {
		str_addf(&text, "Zoom %s %s %s%s", out ? "out of" : "into", str_cstr(&name), kind,
			 hint);
		add_item(m, what, &text);
	}
	str_release(&name);
	str_release(&text);
}

static void add_expand(struct report_browser *b, struct menu *m)
{
	const struct list_pos at = b->list.cursor;
	const struct row_state *s = b->signs ? report_row_state(b, at.row) : NULL;
	struct str text = STR_INIT;
	bool open;

	if (!s || !(s->lines.v.n || report_inner(b, at.row)))
		return;
	if (report_inner(b, at.row)) {
		str_addf(&text, "%s this row (one level, same as '+' hotkey)", s->open ?
			 "Collapse" : "Expand");
		add_item(m, '+', &text);
		str_release(&text);
		return;
	}
	if (at.sub && s->lines.v.v[at.sub - 1].sign == ' ')
		return;
	open = at.sub ? s->lines.v.v[at.sub - 1].sign == '-' : s->open;
	str_addf(&text, "%s [", open ? "Collapse" : "Expand");
	report_name_here(b, &text);
	str_add(&text, "] callchain (one level, same as '+' hotkey, use 'e'/'c' for the whole main "
		       "level entry)");
	add_item(m, '+', &text);
	str_release(&text);
}

char report_menu(struct report_browser *b)
{
	struct menu m = { 0 };
	struct str text = STR_INIT;
	char key = 0;
	int i;

	if (b->shown.n && b->o->calls.annotate && report_symbol_here(b)) {
		str_add(&text, "Annotate ");
		report_name_here(b, &text);
		add_item(&m, 'a', &text);
	}
	if (b->shown.n) {
		add_zoom(b, &m, 't', "thread", "");
		add_zoom(b, &m, 'd', "DSO", " (use the 'k' hotkey to zoom directly into the "
			 "kernel)");
		add_zoom(b, &m, 'S', "Processor Socket", "");
		add_expand(b, &m);
	}
	if (b->o->calls.script) {
		str_add(&text, "Show samples as text (perf script)");
		add_item(&m, 'r', &text);
	}
	str_add(&text, b->view.nested ? "Show the rows as a list" :
		"Show the rows as a tree, a level for each sort key");
	add_item(&m, 'T', &text);
	if (b->o->calls.flame) {
		str_add(&text, "Show the call stacks as an icicle");
		add_item(&m, 'l', &text);
	}
	if (b->o->calls.other) {
		str_add(&text, "Switch to another data file in PWD");
		add_item(&m, 's', &text);
	}
	str_add(&text, "Exit");
	add_item(&m, 'q', &text);
	i = dialog_menu(b->screen, NULL, (const char *const *)m.items.v, m.items.n);
	if (i >= 0)
		key = m.keys.v[i];
	for vec_each(it, &m.items)
		free(*it);
	vec_free(&m.items);
	vec_free(&m.keys);
	str_release(&text);
	return key;
}
