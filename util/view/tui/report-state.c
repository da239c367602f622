// SPDX-License-Identifier: GPL-2.0-or-later
// Rows that are open, and how far.
#include "util/view/tui/report-priv.h"

void report_forget_states(struct report_browser *b)
{
	for hmap_each(i, &b->states) {
		struct row_state *s = b->states.vals[i];

		tree_lines_release(&s->lines);
		free(s);
	}
	hmap_release(&b->states);
	b->states = (struct hmap){ 0 };
}

const struct call_tree *report_tree_of(struct report_browser *b, size_t row)
{
	return b->chains ? hist_rows_tree(b->rows, row) : NULL;
}

struct row_state *report_state_of(struct report_browser *b, size_t row)
{
	struct row_state *s = hmap_get(&b->states, (u64)row + 1);
	const struct call_tree *tree;

	if (s)
		return s;
	s = xnew(struct row_state);
	s->open = b->all_open;
	tree = report_tree_of(b, row);
	if (tree)
		tree_lines_init(&s->lines, tree, &b->view.chain, b->whole);
	if (tree && b->all_open)
		tree_lines_set_all(&s->lines, true);
	hmap_put(&b->states, (u64)row + 1, s);
	return s;
}

void report_whole_changed(struct report_browser *b)
{
	for hmap_each(i, &b->states) {
		struct row_state *s = b->states.vals[i];
		struct tree_lines old = s->lines;

		if (!old.tree)
			continue;
		tree_lines_init(&s->lines, old.tree, &b->view.chain, b->whole);
		tree_lines_take(&s->lines, &old, 0);
		tree_lines_release(&old);
	}
}

struct row_state *report_row_state(struct report_browser *b, size_t row)
{
	return report_state_of(b, b->shown.v[row]);
}
