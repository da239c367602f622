// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of what happens now, made again: what was open, and where the cursor was, stays.
#include "util/view/tui/report-priv.h"

#include "util/base/str.h"

/* What makes a row: its words, one for each key column, and its level. */
struct row_id { u64 *words; };

struct kept {			/* of the rows as they were */
	struct report_browser *b;
	VEC(struct row_id) ids;	/* of the rows with a state, in the order of states; the cursor's */
	VEC(struct row_state *) states;
	struct hist_rows *rows;
	struct list_pos cursor;
	int line;		/* of the page, that the cursor was in; -1: it was the first page */
	u32 node;		/* of its row's tree; 0: its row */
};

static size_t n_words(const struct report_browser *b) { return b->o->keys->cols.n; }

/* row: of the table; id has room for the words */
static void set_id(const struct report_browser *b, size_t row, const struct row_id *id)
{
	const struct hist_row *r = hist_rows_at(b->rows, row);

	for (size_t i = 0; i < n_words(b); i++)
		id->words[i] = b->o->keys->cols.v[i].def->level == KEY_VALUE ||
			!hist_rows_has(b->rows, row, i) ? 0 : hist_row_word(b->o->hist, r, i);
	id->words[n_words(b)] = b->table->rows.v[row].indent;
}

static struct row_id id_of(const struct report_browser *b, size_t row)
{
	struct row_id id = { .words = xcalloc(n_words(b) + 1, sizeof(u64)) };

	set_id(b, row, &id);
	return id;
}

static u64 hash_of(const struct report_browser *b, const struct row_id *id)
{
	u64 h = 1;

	for (size_t i = 0; i <= n_words(b); i++)
		h = hash_u64(h ^ id->words[i]);
	return h;
}

static void keep_cursor(struct kept *k)
{
	struct report_browser *b = k->b;

	k->cursor = b->list.cursor;
	k->line = b->list.top.row || b->list.top.sub ? list_line(&b->list) : -1;
	if (!b->shown.n)
		return;
	if (k->cursor.sub)
		k->node = report_row_state(b, k->cursor.row)->lines.v.v[k->cursor.sub - 1].node;
	vec_push(&k->ids, id_of(b, b->shown.v[k->cursor.row]));
}

static void keep(struct kept *k, struct report_browser *b)
{
	k->b = b;
	keep_cursor(k);
	for hmap_each(i, &b->states) {
		vec_push(&k->states, b->states.vals[i]);
		vec_push(&k->ids, id_of(b, b->states.keys[i] - 1));
	}
	hmap_release(&b->states);
	b->states = (struct hmap){ 0 };
	k->rows = b->rows;
	b->rows = NULL;
}

/* ---- in the new rows ---- */

struct finder {
	struct report_browser *b;
	struct hmap rows;	/* hash of a row that is in -> it + 1 */
	struct row_id id;	/* of the row at hand */
};

static void finder_init(struct finder *f, struct report_browser *b)
{
	*f = (struct finder){ .b = b, .id = { xcalloc(n_words(b) + 1, sizeof(u64)) } };
	for (size_t i = 0; i < b->table->rows.n; i++) {
		if (!b->in[i])
			continue;
		set_id(b, i, &f->id);
		hmap_put(&f->rows, hash_of(b, &f->id), (void *)(uintptr_t)(i + 1));
	}
}

/* The row of the table with that identity; SIZE_MAX: it is gone, or not in. */
static size_t find(const struct finder *f, const struct row_id *id)
{
	const size_t at = (size_t)(uintptr_t)hmap_get(&f->rows, hash_of(f->b, id));

	if (!at)
		return SIZE_MAX;
	set_id(f->b, at - 1, &f->id);
	return memcmp(f->id.words, id->words, (n_words(f->b) + 1) * sizeof(u64)) ? SIZE_MAX :
		at - 1;
}

/* at: the row of the table that the cursor was in. Yields the line of its tree that it is in now;
 * 0: the row. */
static u32 restore_states(struct kept *k, const struct finder *f, size_t at)
{
	struct report_browser *b = k->b;
	const size_t first = k->ids.n - k->states.n;
	u32 sub = 0;

	for (size_t i = 0; i < k->states.n; i++) {
		struct row_state *old = k->states.v[i];
		const size_t row = find(f, &k->ids.v[first + i]);
		struct row_state *s = row == SIZE_MAX ? NULL : report_state_of(b, row);
		u32 node = 0;

		if (s)
			s->open = old->open;
		if (s && old->lines.tree && s->lines.tree)
			node = tree_lines_take(&s->lines, &old->lines, row == at ? k->node : 0);
		if (node)
			sub = (u32)tree_lines_find(&s->lines, node) + 1;
		tree_lines_release(&old->lines);
		free(old);
	}
	return sub;
}

static size_t shown_at(const struct report_browser *b, size_t row)
{
	for (size_t i = 0; i < b->shown.n; i++)
		if (b->shown.v[i] == row)
			return i;
	return SIZE_MAX;
}

/* On the first row it stays there: that is where the hottest one is looked for. */
static void restore(struct kept *k)
{
	struct report_browser *b = k->b;
	const bool first = !k->cursor.row && !k->cursor.sub;
	struct finder f = { 0 };
	size_t row = SIZE_MAX;
	u32 sub;

	if (k->states.n || !first)
		finder_init(&f, b);
	if (k->ids.n > k->states.n && !first)
		row = find(&f, &k->ids.v[0]);
	sub = restore_states(k, &f, row);
	if (b->view.nested)
		report_show_rows(b);
	row = row == SIZE_MAX ? row : shown_at(b, row);
	b->list.cursor = row == SIZE_MAX ? (struct list_pos){ k->cursor.row, 0 } :
		(struct list_pos){ row, sub };
	if (k->line < 0)
		b->list.top = (struct list_pos){ 0 };
	else
		list_go_line(&b->list, b->list.cursor, k->line);
	list_go(&b->list, b->list.cursor);
	hmap_release(&f.rows);
	free(f.id.words);
	for vec_each(id, &k->ids)
		free(id->words);
	vec_free(&k->ids);
	vec_free(&k->states);
	hist_rows_free(k->rows);
}

void report_rows_again(struct report_browser *b)
{
	struct kept k = { 0 };

	keep(&k, b);
	b->o->live.refresh(b->o->live.ctx);
	report_rows_begin(b);
	restore(&k);
}
