// SPDX-License-Identifier: GPL-2.0-or-later
// The lines of the report browser: rows of the table, and of the call trees that are open.
#include "util/view/tui/report-priv.h"

#include "util/view/text.h"

enum { NEST_STEP = 3 };		/* columns from a row to those that it holds */

static void measure(struct report_browser *b)
{
	const struct report_tui_opts *o = b->o;

	/* rows that are made again leave the columns where they were, if they can */
	if (!b->width)
		b->width = xcalloc(b->table->cols.n + 1, sizeof(*b->width));
	for (size_t i = 0; i < b->table->cols.n; i++)
		b->width[i] = i < o->n_widths && o->widths[i] ? o->widths[i] :
			MAX(b->width[i], text_column_width(b->table, i));
}

void report_rows_begin(struct report_browser *b)
{
	b->rows = hist_rows_new(b->o->hist, b->event, &b->view);
	b->table = hist_rows_table(b->rows);
	b->chains = b->view.chain.mode != CHAIN_NONE &&
		b->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	b->signs = b->chains || b->view.nested;
	measure(b);
	report_choose_rows(b);
}

void report_rows_end(struct report_browser *b)
{
	report_forget_states(b);
	hist_rows_free(b->rows);
	vec_free(&b->shown);
	free(b->width);
	free(b->in);
	b->in = NULL;
	b->rows = NULL;
	b->width = NULL;
}

/* ---- lines ---- */

/* NULL: it is closed */
static struct row_state *open_state(struct report_browser *b, size_t row)
{
	struct row_state *s;

	if (!b->signs || (!b->all_open && !b->states.n))
		return NULL;
	s = b->all_open ? report_row_state(b, row) :
		hmap_get(&b->states, (u64)b->shown.v[row] + 1);
	return s && s->open ? s : NULL;
}

static size_t n_rows(void *ctx) { return ((struct report_browser *)ctx)->shown.n; }

static u32 height(void *ctx, size_t row)
{
	const struct row_state *s = open_state(ctx, row);

	return 1 + (s ? (u32)s->lines.v.n : 0);
}

static size_t span_of(const struct column *c) { return c->n_members > 1 ? c->n_members : 1; }

/* text in a column of this width; last ones that need not be filled are not */
static void add_padded(struct line *out, enum screen_color color, const struct str *text,
		       size_t width, bool right, bool fill)
{
	const size_t w = screen_text_width(str_cstr(text), text->len);

	if (right && w < width)
		str_addchn(&out->text, ' ', width - w);
	line_mark(out, COLOR_NORMAL);
	line_add(out, color, str_cstr(text));
	if (!right && fill && w < width)
		str_addchn(&out->text, ' ', width - w);
	line_mark(out, COLOR_NORMAL);
}

/* Names of nested rows begin in one column where all are at the left. */
static size_t nested_gap(const struct table *t)
{
	return (t->cols.n - text_first_level(t) - 1) * NEST_STEP;
}

static void add_cells(const struct report_browser *b, const struct table_row *row, struct line *out)
{
	const struct table *t = b->table;
	struct str text = STR_INIT;

	for (size_t i = 0; i < t->cols.n; i++) {
		const struct column *c = &t->cols.v[i];
		const struct cell *cell = &row->cells[i];

		if (c->level && c->level != row->indent + 1)
			continue;
		if (c->level)
			str_addchn(&out->text, ' ', nested_gap(t));
		if (i && !c->member)
			line_add(out, COLOR_NORMAL, "  ");
		str_reset(&text);
		text_value(&text, c, cell);
		add_padded(out, cell->kind == CELL_PCT ? screen_pct_color(cell->d) : COLOR_NORMAL,
			   &text, c->level ? 0 : b->width[i], c->right, i + 1 < t->cols.n);
	}
	str_release(&text);
}

static void draw_row(struct report_browser *b, size_t row, struct line *out)
{
	const struct table_row *r = &b->table->rows.v[b->shown.v[row]];
	const bool opens = report_inner(b, row) ||
		tree_has_lines(report_tree_of(b, b->shown.v[row]));

	str_addchn(&out->text, ' ', r->indent * NEST_STEP);
	if (b->signs)
		line_add(out, COLOR_NORMAL, !opens ? "  " : open_state(b, row) ? "- " : "+ ");
	add_cells(b, r, out);
}

static void draw(void *ctx, struct list_pos at, struct line *out)
{
	struct report_browser *b = ctx;
	const struct row_state *s;
	const struct tree_line *l;

	if (!at.sub) {
		draw_row(b, at.row, out);
		return;
	}
	s = report_row_state(b, at.row);
	l = &s->lines.v.v[at.sub - 1];
	str_addchn(&out->text, ' ', l->offset +
		   b->table->rows.v[b->shown.v[at.row]].indent * NEST_STEP);
	str_addch(&out->text, l->sign);
	str_addch(&out->text, ' ');
	tree_line_text(&s->lines, l, b->verbose, &out->text);
	line_mark(out, COLOR_NORMAL);
}

const struct list_lines report_lines = { n_rows, height, draw };

static void add_nested_heads(const struct table *t, struct line *out)
{
	struct str title = STR_INIT;

	str_addchn(&title, ' ', nested_gap(t) + (text_first_level(t) ? 2 : 0));
	text_nested_title(&title, t);
	line_add(out, COLOR_ROOT, str_cstr(&title));
	str_release(&title);
}

void report_heads(const struct report_browser *b, struct line *out)
{
	const struct table *t = b->table;

	if (b->signs)
		line_add(out, COLOR_ROOT, "  ");
	for (size_t i = 0, span; i < text_first_level(t); i += span) {
		const struct column *c = &t->cols.v[i];
		struct str title = STR_INIT;
		size_t width = 0;

		span = span_of(c);
		for (size_t m = 0; m < span; m++)
			width += b->width[i + m];
		if (i)
			line_add(out, COLOR_ROOT, "  ");
		str_add_safe(&title, c->title);
		add_padded(out, COLOR_ROOT, &title, width, c->right, i + span < t->cols.n);
		str_release(&title);
	}
	if (text_first_level(t) < t->cols.n)
		add_nested_heads(t, out);
}

void report_line_text(struct report_browser *b, struct list_pos at, struct str *out)
{
	struct line l = { 0 };

	draw(b, at, &l);
	str_addn(out, str_cstr(&l.text), l.text.len);
	line_release(&l);
}

/* ---- what is at the cursor ---- */

static const struct hist_sym *row_symbol(const struct report_browser *b, size_t row)
{
	const struct hist_keys *keys = b->o->keys;
	const struct hist_row *r = hist_rows_at(b->rows, b->shown.v[row]);

	for (size_t i = 0; i < keys->cols.n; i++)
		if (!strcmp(keys->cols.v[i].def->name, "symbol") &&
		    hist_rows_has(b->rows, b->shown.v[row], i))
			return (const void *)(uintptr_t)hist_row_word(b->o->hist, r, i);
	return NULL;
}

static const struct call_node *node_here(struct report_browser *b)
{
	const struct list_pos at = b->list.cursor;
	const struct tree_lines *t;

	if (!at.sub)
		return NULL;
	t = &report_row_state(b, at.row)->lines;
	return &t->tree->nodes.v[t->v.v[at.sub - 1].node];
}

const struct hist_sym *report_symbol_here(struct report_browser *b)
{
	const struct call_node *n = b->shown.n ? node_here(b) : NULL;

	if (!b->shown.n)
		return NULL;
	return n ? n->what : row_symbol(b, b->list.cursor.row);
}

void report_name_here(struct report_browser *b, struct str *out)
{
	const struct hist_sym *s = report_symbol_here(b);
	const struct call_node *n = node_here(b);

	if (n && n->name)
		str_add(out, n->name);
	else if (n)
		str_addf(out, "%#llx", (unsigned long long)n->va);
	else if (s)
		str_add(out, hist_loc_name(s));
}

void report_print(struct report_browser *b, struct str *out)
{
	struct line l = { 0 };

	report_heads(b, &l);
	str_addf(out, "%s\n", str_cstr(&l.text));
	line_release(&l);
	for (size_t row = 0; row < b->shown.n; row++) {
		const u32 n = height(b, row);

		for (u32 sub = 0; sub < n; sub++) {
			report_line_text(b, (struct list_pos){ row, sub }, out);
			while (out->len && out->buf[out->len - 1] == ' ')
				out->buf[--out->len] = '\0';
			str_addch(out, '\n');
		}
	}
}
