// SPDX-License-Identifier: GPL-2.0-or-later
// n, N: the next line with a text, also where it is in a chain that is closed.
#include <ctype.h>

#include "util/base/str.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/report-priv.h"

/* Small letters find large ones, too. */
static bool has_text(const char *in, const char *text)
{
	for (; *in; in++) {
		size_t i = 0;

		while (text[i] && (in[i] == text[i] || tolower((u8)in[i]) == text[i]))
			i++;
		if (!text[i])
			return true;
	}
	return false;
}

static bool row_has(struct report_browser *b, size_t row)
{
	struct str text = STR_INIT;
	bool has;

	report_line_text(b, (struct list_pos){ row, 0 }, &text);
	has = has_text(str_cstr(&text), str_cstr(&b->find));
	str_release(&text);
	return has;
}

static bool node_has(const struct tree_lines *t, const struct report_browser *b, u32 n)
{
	const char *name = t->tree->nodes.v[n].name;

	return name && has_text(name, str_cstr(&b->find));
}

/* Nodes are numbered from the top down. from: of the tree, 0 the row itself; 0: none. */
static u32 next_node(const struct tree_lines *t, const struct report_browser *b, u32 from, bool up)
{
	const u32 n = t->tree ? (u32)t->tree->nodes.n : 0;

	if (up) {
		while (from > 1)
			if (node_has(t, b, --from))
				return from;
		return 0;
	}
	while (++from < n)
		if (node_has(t, b, from))
			return from;
	return 0;
}

static bool go_to_node(struct report_browser *b, size_t row, u32 n)
{
	struct row_state *s = report_row_state(b, row);
	size_t line = tree_lines_reveal(&s->lines, n);

	if (line == SIZE_MAX)
		return false;
	s->open = true;
	list_go(&b->list, (struct list_pos){ row, (u32)line + 1 });
	return true;
}

/* In this row, after (up: before) the node; 0 the row's own line; SIZE_MAX: all of it. */
static bool find_in_row(struct report_browser *b, size_t row, u64 from, bool up)
{
	const struct row_state *s = b->signs ? report_row_state(b, row) : NULL;
	u32 n = 0;

	if (!up && from == UINT64_MAX) {
		if (row_has(b, row)) {
			list_go(&b->list, (struct list_pos){ row, 0 });
			return true;
		}
		from = 0;
	}
	if (up && !from)
		return false;
	if (s && s->lines.tree) {
		if (up && from == UINT64_MAX)
			from = s->lines.tree->nodes.n;
		n = next_node(&s->lines, b, (u32)from, up);
	}
	if (n)
		return go_to_node(b, row, n);
	if (!up || !row_has(b, row))
		return false;
	list_go(&b->list, (struct list_pos){ row, 0 });
	return true;
}

static u64 node_of_cursor(struct report_browser *b)
{
	const struct list_pos at = b->list.cursor;

	return at.sub ? report_row_state(b, at.row)->lines.v.v[at.sub - 1].node : 0;
}

static void find(struct report_browser *b, bool up)
{
	const size_t n = b->shown.n;
	size_t row = b->list.cursor.row;

	if (!n)
		return;
	if (find_in_row(b, row, node_of_cursor(b), up))
		return;
	for (size_t i = 0; i < n; i++) {	/* once around */
		row = up ? (row ? row : n) - 1 : row + 1 < n ? row + 1 : 0;
		if (find_in_row(b, row, UINT64_MAX, up))
			return;
	}
	str_addf(&b->said, "not found: '%s'", str_cstr(&b->find));
}

/* Among all rows; what holds the one that was found is opened. */
static void find_nested(struct report_browser *b, bool up)
{
	const struct list_pos top = b->list.top;
	struct list_pos to;

	if (!b->shown.n)
		return;
	report_nest_unfold(b);
	find(b, up);
	to = b->list.cursor;
	to.row = report_nest_reveal(b, b->shown.v[to.row]);
	b->list.top = top;
	list_go(&b->list, to);
}

void report_find(struct report_browser *b, bool up, bool ask)
{
	struct str text = STR_INIT;

	if (ask || !b->find.len) {
		if (!dialog_input(b->screen, "Find", "Text to find in rows and callchains:",
				  &text) || !text.len) {
			str_release(&text);
			return;
		}
		str_release(&b->find);
		b->find = text;
	}
	if (b->view.nested)
		find_nested(b, up);
	else
		find(b, up);
}
