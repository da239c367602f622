// SPDX-License-Identifier: GPL-2.0-or-later
// Which rows the report browser shows: those of one thread, file, socket, or by name.
#include "util/view/tui/report-priv.h"

#include "util/base/str.h"

static u64 word_of(const struct report_browser *b, size_t row, size_t key)
{
	return hist_row_word(b->o->hist, hist_rows_at(b->rows, row), key);
}

static const char *symbol_name(const struct report_browser *b, size_t row, size_t key)
{
	const struct hist_sym *s = (const void *)(uintptr_t)word_of(b, row, key);

	return s && s->name ? s->name : "";
}

static bool passes(const struct report_browser *b, size_t row)
{
	for vec_each(z, &b->zooms)
		if (z->text ? !strstr(symbol_name(b, row, z->key), z->text) :
		    word_of(b, row, z->key) != z->word)
			return false;
	return true;
}

/* Out of what is in: what the limits hide, and rows that hold nothing which is in. */
static void hide(struct report_browser *b)
{
	const struct table *t = b->table;
	bool *below = xcalloc(t->cols.n + 2, sizeof(*below));	/* by level */

	for (size_t i = t->rows.n; i-- > 0;) {
		const unsigned level = t->rows.v[i].indent;

		if (hist_rows_inner(b->rows, i))
			b->in[i] = below[level + 1];
		below[level + 1] = false;
		b->in[i] &= !t->rows.v[i].hidden;
		below[level] |= b->in[i];
	}
	free(below);
}

void report_choose_rows(struct report_browser *b)
{
	const bool zoomed = b->zooms.n;
	const size_t n = b->table->rows.n;
	bool *in = xcalloc(n + 1, sizeof(*in));

	for (size_t i = 0; i < n; i++)
		in[i] = !zoomed || passes(b, i);
	b->total = hist_rows_whole(b->rows, zoomed ? in : NULL, b->relative);
	if (b->whole != hist_rows_total(b->rows)) {
		b->whole = hist_rows_total(b->rows);
		report_whole_changed(b);
	}
	free(b->in);
	b->in = in;
	hide(b);
	report_show_rows(b);
	if (!b->view.nested)
		report_sort(b);
}

/* ---- zooming ---- */

struct zoom_kind {
	char what;
	const char *keys[4];		/* the first of these columns that there is */
	const char *label, *column;
};

static const struct zoom_kind kinds[] = {
	{ 'd', { "dso" }, "DSO", "shared objects (--sort dso)" },
	{ 'k', { "dso" }, "DSO", "shared objects (--sort dso)" },
	{ 't', { "tid", "pid", "comm" }, "Thread", "threads (--sort comm, pid)" },
	{ 'S', { "socket" }, "Processor Socket", "sockets (--sort socket)" },
	{ '/', { "symbol" }, "Symbol", "functions (--sort symbol)" },
};

static size_t key_of(const struct report_browser *b, const struct zoom_kind *k)
{
	for (size_t n = 0; n < ARRAY_SIZE(k->keys) && k->keys[n]; n++)
		for (size_t i = 0; i < b->o->keys->cols.n; i++)
			if (!strcmp(b->o->keys->cols.v[i].def->name, k->keys[n]))
				return i;
	return SIZE_MAX;
}

static const struct zoom_kind *kind_of(char what)
{
	const struct zoom_kind *k = kinds;

	while (k->what != what)
		k++;
	return k;
}

static void drop(struct report_browser *b, size_t i)
{
	free(b->zooms.v[i].text);
	free(b->zooms.v[i].label);
	memmove(&b->zooms.v[i], &b->zooms.v[i + 1], (b->zooms.n - i - 1) * sizeof(*b->zooms.v));
	b->zooms.n--;
}

static void changed(struct report_browser *b)
{
	report_choose_rows(b);
	list_go(&b->list, (struct list_pos){ 0 });
}

/* false: there was none by this column */
static bool drop_by_key(struct report_browser *b, size_t key, bool text)
{
	for (size_t i = 0; i < b->zooms.n; i++) {
		if (b->zooms.v[i].key != key || !b->zooms.v[i].text == text)
			continue;
		drop(b, i);
		return true;
	}
	return false;
}

/* The row of the table that 'k' zooms into: one of the kernel's. */
static size_t kernel_row(const struct report_browser *b, size_t key)
{
	for (size_t i = 0; i < b->table->rows.n; i++) {
		const char *name = (const char *)(uintptr_t)word_of(b, i, key);

		if (name && (str_has_prefix(name, "[kernel") || !strcmp(name, "vmlinux")))
			return i;
	}
	return SIZE_MAX;
}

static void add_name(const struct report_browser *b, size_t row, size_t key, struct str *out)
{
	const struct key *col = &b->o->keys->cols.v[key];
	struct table t = { 0 };
	struct cell cell = { 0 };

	col->def->cell(col, word_of(b, row, key), &t, &cell);
	if (cell.kind == CELL_TASK)
		str_addf(out, "%s(%llu)", cell.text ? cell.text : "", (unsigned long long)cell.u);
	else if (cell.kind == CELL_TEXT)
		str_add(out, cell.text ? cell.text : "");
	else
		str_addf(out, "%lld", (long long)cell.s);
	table_release(&t);
}

bool report_zoom_name(struct report_browser *b, char what, struct str *name, bool *out)
{
	const size_t key = key_of(b, kind_of(what));

	if (key == SIZE_MAX || !b->shown.n ||
	    !hist_rows_has(b->rows, b->shown.v[b->list.cursor.row], key))
		return false;
	*out = false;
	for vec_each(z, &b->zooms)
		*out |= z->key == key && !z->text;
	add_name(b, b->shown.v[b->list.cursor.row], key, name);
	return true;
}

bool report_zoom_is_thread(const struct report_browser *b)
{
	const size_t key = key_of(b, kind_of('t'));

	return key != SIZE_MAX && strcmp(b->o->keys->cols.v[key].def->name, "comm");
}

void report_zoom(struct report_browser *b, char what)
{
	const struct zoom_kind *k = kind_of(what);
	const size_t key = key_of(b, k);
	struct zoom z = { .key = key, .what = what };
	struct str label = STR_INIT;
	size_t row;

	if (key == SIZE_MAX) {
		str_addf(&b->said, "there is no column of %s to zoom by", k->column);
		return;
	}
	if (drop_by_key(b, key, false)) {
		changed(b);
		return;
	}
	if (!b->shown.n)
		return;
	if (what != 'k' && !hist_rows_has(b->rows, b->shown.v[b->list.cursor.row], key)) {
		str_add(&b->said, "this row holds several of them: open it (+), and go to one");
		return;
	}
	row = what == 'k' ? kernel_row(b, key) : b->shown.v[b->list.cursor.row];
	if (row == SIZE_MAX) {
		str_add(&b->said, "no row is of the kernel");
		return;
	}
	z.word = word_of(b, row, key);
	str_addf(&label, "%s: ", k->label);
	add_name(b, row, key, &label);
	z.label = xstrdup(str_cstr(&label));
	str_release(&label);
	vec_push(&b->zooms, z);
	changed(b);
}

void report_zoom_text(struct report_browser *b, const char *text)
{
	const struct zoom_kind *k = kind_of('/');
	const size_t key = key_of(b, k);
	struct str label = STR_INIT;

	if (key == SIZE_MAX) {
		str_addf(&b->said, "there is no column of %s to filter by", k->column);
		return;
	}
	drop_by_key(b, key, true);
	if (*text) {
		str_addf(&label, "%s: %s", k->label, text);
		vec_push(&b->zooms, ((struct zoom){ .key = key, .text = xstrdup(text), .what = '/',
						    .label = xstrdup(str_cstr(&label)) }));
		str_release(&label);
	}
	changed(b);
}

bool report_zoom_out(struct report_browser *b)
{
	if (!b->zooms.n)
		return false;
	drop(b, b->zooms.n - 1);
	changed(b);
	return true;
}

void report_zooms_release(struct report_browser *b)
{
	while (b->zooms.n)
		drop(b, b->zooms.n - 1);
	vec_free(&b->zooms);
}
