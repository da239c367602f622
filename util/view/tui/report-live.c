// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of what happens now, made again: what was open, and where the cursor was, stays.
#include "util/view/tui/report-priv.h"

#include "util/base/str.h"

/* What makes a row: its words, one for each key column. */
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
		id->words[i] = b->o->keys->cols.v[i].def->level == KEY_VALUE ? 0 :
			hist_row_word(b->o->hist, r, i);
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

	for (size_t i = 0; i < n_words(b); i++)
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
	struct hmap rows;	/* hash of a shown row -> it + 1 */
	struct row_id id;	/* of the row at hand */
};

static void finder_init(struct finder *f, struct report_browser *b)
{
	*f = (struct finder){ .b = b, .id = { xcalloc(n_words(b) + 1, sizeof(u64)) } };
	for (size_t i = 0; i < b->shown.n; i++) {
		set_id(b, b->shown.v[i], &f->id);
		hmap_put(&f->rows, hash_of(b, &f->id), (void *)(uintptr_t)(i + 1));
	}
}

/* The shown row with that identity; SIZE_MAX: it is gone. */
static size_t find(const struct finder *f, const struct row_id *id)
{
	const size_t at = (size_t)(uintptr_t)hmap_get(&f->rows, hash_of(f->b, id));

	if (!at)
		return SIZE_MAX;
	set_id(f->b, f->b->shown.v[at - 1], &f->id);
	return memcmp(f->id.words, id->words, n_words(f->b) * sizeof(u64)) ? SIZE_MAX : at - 1;
}

static void restore_states(struct kept *k, const struct finder *f, size_t first)
{
	struct report_browser *b = k->b;

	for (size_t i = 0; i < k->states.n; i++) {
		struct row_state *old = k->states.v[i];
		const size_t row = find(f, &k->ids.v[first + i]);
		struct row_state *s;
		u32 node = 0;

		if (row != SIZE_MAX && old->lines.tree) {
			s = report_row_state(b, row);
			s->open = old->open;
			node = first && row == b->list.cursor.row ? k->node : 0;
			node = tree_lines_take(&s->lines, &old->lines, node);
		}
		if (node)
			b->list.cursor.sub = (u32)tree_lines_find(&s->lines, node) + 1;
		tree_lines_release(&old->lines);
		free(old);
	}
}

/* On the first row it stays there: that is where the hottest one is looked for. */
static void restore_cursor(struct kept *k, const struct finder *f)
{
	struct report_browser *b = k->b;
	const bool first = !k->cursor.row && !k->cursor.sub;
	const size_t row = k->ids.n && !first ? find(f, &k->ids.v[0]) : SIZE_MAX;

	b->list.cursor = row == SIZE_MAX ? (struct list_pos){ k->cursor.row, 0 } :
		(struct list_pos){ row, 0 };
}

static void restore(struct kept *k)
{
	struct report_browser *b = k->b;
	struct finder f = { 0 };

	if (k->states.n || k->cursor.row || k->cursor.sub)
		finder_init(&f, b);
	restore_cursor(k, &f);
	restore_states(k, &f, k->ids.n - k->states.n);
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
