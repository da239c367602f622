// SPDX-License-Identifier: GPL-2.0-or-later
// Rows that hold others (--hierarchy), and are open or closed.
#include "util/view/tui/report-priv.h"

static const struct table_row *row_at(const struct report_browser *b, size_t row)
{
	return &b->table->rows.v[row];
}

/* The rows from the row of the table to what it yields are those that it holds. */
static size_t nest_end(const struct report_browser *b, size_t row)
{
	size_t end = row + 1;

	while (end < b->table->rows.n && row_at(b, end)->indent > row_at(b, row)->indent)
		end++;
	return end;
}

bool report_inner(const struct report_browser *b, size_t row)
{
	return hist_rows_inner(b->rows, b->shown.v[row]);
}

static bool is_open(const struct report_browser *b, size_t row)
{
	const struct row_state *s = hmap_get(&b->states, (u64)row + 1);

	return s ? s->open : b->all_open;
}

static void show(struct report_browser *b, bool closed_too)
{
	const size_t n = b->table->rows.n;

	vec_clear(&b->shown);
	for (size_t i = 0; i < n;) {
		if (b->in[i])
			vec_push(&b->shown, (u32)i);
		if (b->view.nested && !closed_too && !is_open(b, i))
			i = nest_end(b, i);
		else
			i++;
	}
}

void report_show_rows(struct report_browser *b) { show(b, false); }

/* The shown row, or what holds the row of the table and is shown. */
static size_t shown_row(const struct report_browser *b, size_t row)
{
	size_t low = 0, high = b->shown.n;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (b->shown.v[middle] <= row)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}

void report_nest_set(struct report_browser *b, size_t row, bool open, bool all)
{
	const size_t first = b->shown.v[row], end = all ? nest_end(b, first) : first + 1;

	for (size_t i = first; i < end; i++)
		if (hist_rows_inner(b->rows, i))
			report_state_of(b, i)->open = open;
	report_show_rows(b);
	list_row_changed(&b->list);
}

void report_nest_again(struct report_browser *b)
{
	const size_t row = b->shown.n ? b->shown.v[b->list.cursor.row] : 0;
	const int line = list_line(&b->list);

	report_show_rows(b);
	list_go_line(&b->list, (struct list_pos){ shown_row(b, row), 0 }, line);
}

void report_nest_unfold(struct report_browser *b)
{
	const size_t row = b->shown.n ? b->shown.v[b->list.cursor.row] : 0;

	show(b, true);
	b->list.cursor.row = shown_row(b, row);
}

size_t report_nest_reveal(struct report_browser *b, size_t row)
{
	unsigned indent = row_at(b, row)->indent;

	for (size_t i = row; i-- > 0 && indent;) {
		if (row_at(b, i)->indent >= indent)
			continue;
		indent = row_at(b, i)->indent;
		report_state_of(b, i)->open = true;
	}
	report_show_rows(b);
	return shown_row(b, row);
}
