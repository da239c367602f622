// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/text.h"

#define COLOR_RED "\033[31m"
#define COLOR_GREEN "\033[32m"
#define COLOR_END "\033[m"

struct layout {
	const struct text_opts *opts;
	size_t *width;		/* by column */
	size_t narrowed;	/* column that gave way to the terminal's width, plus 1; 0: none */
	struct str cell;	/* scratch */
};

void text_count_unit(struct str *out, u64 n)
{
	static const char units[] = " KMGT";
	unsigned u = 0;

	while (n >= 1000 && u < sizeof(units) - 2) {
		n /= 1000;
		u++;
	}
	str_addf(out, "%llu%c", (unsigned long long)n, units[u]);
}

/* In the largest unit that leaves no rest; below a megabyte in K. */
static void add_binary(struct str *s, u64 bytes)
{
	const char *unit = "";

	if (bytes >= 1u << 30 && !(bytes & ((1u << 30) - 1)))
		bytes >>= 30, unit = "G";
	else if (bytes >= 1u << 20 && !(bytes & ((1u << 20) - 1)))
		bytes >>= 20, unit = "M";
	else if (bytes >= 1u << 10)
		bytes >>= 10, unit = "K";
	str_addf(s, "%llu%s", (unsigned long long)bytes, unit);
}

/* One column: its texts. Two: names, each with its value. */
static void add_list(struct str *s, const struct table *list)
{
	const bool map = list->cols.n > 1;

	for vec_each(row, &list->rows) {
		if (row != list->rows.v)
			str_add(s, map ? ", " : " ");
		str_add_safe(s, row->cells[0].text ? row->cells[0].text : "");
		if (map) {
			str_addch(s, ' ');
			text_value(s, &list->cols.v[1], &row->cells[1]);
		}
	}
}

/* The highest one fills its place; what is above 0 is seen. */
static void add_spark(struct str *s, const struct table *list)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	u64 most = 1;

	for vec_each(row, &list->rows)
		most = MAX(most, row->cells[0].u);
	for vec_each(row, &list->rows) {
		const double part = (double)row->cells[0].u / (double)most;
		const size_t level = (size_t)(part * 8);

		str_add(s, row->cells[0].u ? bars[MIN(level, ARRAY_SIZE(bars) - 1)] : " ");
	}
}

void text_value(struct str *s, const struct column *c, const struct cell *cell)
{
	if (cell->text && (cell->kind == CELL_ADDR || cell->kind == CELL_INT ||
			   cell->kind == CELL_COUNT || cell->kind == CELL_LIST)) {
		str_add_safe(s, cell->text);
		return;
	}
	switch ((enum cell_kind)cell->kind) {
	case CELL_NONE:
	case CELL_ABSENT:
		str_add(s, cell->text ? cell->text : c->none ? c->none : "N/A");
		break;
	case CELL_TEXT:
		str_add_safe(s, cell->text ? cell->text : "");
		break;
	case CELL_BYTES:
		if (c->form & COL_BINARY_UNITS) {
			add_binary(s, cell->u);
			break;
		}
		/* fallthrough */
	case CELL_COUNT:
		str_add_u64(s, cell->u);
		break;
	case CELL_PCT:
		str_addf(s, c->form & COL_PLUS_SIGN ? "%+.*f%%" : "%.*f%%", c->decimals, cell->d);
		break;
	case CELL_NS:
		str_add_time(s, cell->u, c->decimals ? c->decimals : 6);
		break;
	case CELL_ADDR:
		str_addf(s, c->form & COL_HEX ? "%#llx" : "%#018llx", (unsigned long long)cell->u);
		break;
	case CELL_INT:
		str_addf(s, c->form & COL_THREE_DIGITS ? "%.3lld" : "%lld", (long long)cell->s);
		break;
	case CELL_BOOL:
		str_add(s, cell->u ? "yes" : "no");
		break;
	case CELL_LIST:
		(c->form & COL_SPARK ? add_spark : add_list)(s, cell->list);
		break;
	case CELL_SYM:
		str_addf(s, "[%c] ", cell->level);
		str_add_safe(s, cell->text);
		if (cell->suffix_inlined)
			str_add(s, " (inlined)");
		break;
	case CELL_TASK:
		str_addf(s, "%7llu:", (unsigned long long)cell->u);
		str_add_safe(s, cell->text ? cell->text : "");
		break;
	case CELL_NUM:
		str_addf(s, "%.*f", c->decimals, cell->d);
		break;
	}
}

/* Columns of a screen: UTF-8 sequences take one. */
static size_t display_width(const char *s, size_t n)
{
	size_t w = 0;

	for (size_t i = 0; i < n; i++)
		w += ((u8)s[i] & 0xc0) != 0x80;
	return w;
}

static size_t title_width(const struct column *c) { return strlen(c->title); }

size_t text_column_width(const struct table *t, size_t col)
{
	const struct column *c = &t->cols.v[col];
	size_t width = c->width ? c->width : MAX((size_t)c->min_width, title_width(c));
	struct str cell = STR_INIT;

	for (size_t r = 0; !c->width && r < t->rows.n; r++) {
		str_reset(&cell);
		text_value(&cell, c, &t->rows.v[r].cells[col]);
		width = MAX(width, display_width(str_cstr(&cell), cell.len));
	}
	str_release(&cell);
	return width;
}

static void measure(struct layout *l, const struct table *t)
{
	/* nested rows have the widths of their contents, as upstream perf has it */
	const size_t n_widths = text_first_level(t) < t->cols.n ? 0 : l->opts->n_widths;

	for (size_t i = 0; i < t->cols.n; i++)
		l->width[i] = i < n_widths && l->opts->widths[i] ? l->opts->widths[i] :
			text_column_width(t, i);
}

#define MIN_NARROWED 16

/* Names of C++ templates are longer than any terminal is wide. */
static void narrow(struct layout *l, const struct table *t)
{
	size_t all = 0, widest = 0;

	if (!l->opts->columns || l->opts->sep || !t->cols.n)
		return;
	for (size_t i = 0; i < t->cols.n; i++) {
		all += l->width[i] + 2;
		if (l->width[i] > l->width[widest])
			widest = i;
	}
	const struct column *c = &t->cols.v[widest];

	if (all <= l->opts->columns || c->right ||
	    (widest < l->opts->n_widths && l->opts->widths[widest]))
		return;
	size_t rest = all - l->width[widest];

	l->width[widest] = rest + MIN_NARROWED < l->opts->columns ? l->opts->columns - rest :
		MIN_NARROWED;
	l->narrowed = widest + 1;
}

/* Front and end of a text with dots between, width columns in all. */
static void cut_middle(struct str *text, size_t width)
{
	size_t front = (width - 3 + 1) / 2, back = width - 3 - front, w = 0, a = 0, b = text->len;
	struct str out = STR_INIT;

	while (a < text->len && (w < front || ((u8)text->buf[a] & 0xc0) == 0x80))
		w += ((u8)text->buf[a++] & 0xc0) != 0x80;
	for (w = 0; b > a && w < back;)
		w += ((u8)text->buf[--b] & 0xc0) != 0x80;
	str_addn(&out, text->buf, a);
	str_add(&out, "...");
	str_addn(&out, text->buf + b, text->len - b);
	str_release(text);
	*text = out;
}

static bool forced(const struct layout *l, size_t col) { return col < l->opts->n_widths &&
							 l->opts->widths[col]; }

static void add_padded(struct str *out, const char *text, size_t n, size_t width, bool right,
		       bool cut)
{
	size_t w = display_width(text, n);

	if (cut && w > width) {
		/* whole characters */
		for (n = 0, w = 0; text[n]; n++) {
			if (((u8)text[n] & 0xc0) != 0x80 && w++ == width)
				break;
		}
		w = width;
	}
	if (right && w < width)
		str_addchn(out, ' ', width - w);
	str_addn(out, text, n);
	if (!right && w < width)
		str_addchn(out, ' ', width - w);
}

/* Group columns (several values below one title) are one column for titles. */
static size_t span_of(const struct table *t, size_t col)
{
	return t->cols.v[col].n_members > 1 ? t->cols.v[col].n_members : 1;
}

static size_t span_width(const struct layout *l, size_t col, size_t span)
{
	size_t w = 0;

	for (size_t i = 0; i < span; i++)
		w += l->width[col + i];
	return w;
}

/* ---- nested rows: one column has the names of all levels ---- */

/* Columns that a level is further right than the one above it; -t: of what stands in front. */
enum { NEST_STEP = 3 };

static size_t nested_indent(const struct table *t)
{
	return (t->cols.n - text_first_level(t) - 1) * NEST_STEP;
}

static size_t nested_width(const struct layout *l, const struct table *t)
{
	const size_t first = text_first_level(t);
	struct str title = STR_INIT;
	size_t width;

	text_nested_title(&title, t);
	width = title.len;
	for (size_t i = first; i < t->cols.n; i++)
		width = MAX(width, l->width[i] + (i - first) * NEST_STEP);
	str_release(&title);
	return width;
}

static void add_nested_titles(struct str *out, const struct layout *l, const struct table *t)
{
	const size_t n = text_first_level(t);
	const char sep = l->opts->sep;
	size_t dots = sep ? 0 : nested_indent(t);

	str_add(out, "# ");
	str_addchn(out, ' ', dots);
	for (size_t i = 0, span; i < n; i += span) {
		const struct column *c = &t->cols.v[i];

		span = span_of(t, i);
		add_padded(out, c->title, strlen(c->title), span_width(l, i, span), c->right,
			   false);
		dots += span_width(l, i, span) + (i ? 2 : 0);
		if (sep)
			str_addch(out, sep);
		else
			str_add(out, "  ");
	}
	text_nested_title(out, t);
	str_add(out, "\n# ");
	for (size_t i = 0; sep && i < n; i += span_of(t, i)) {
		str_addchn(out, '.', span_width(l, i, span_of(t, i)));
		str_addch(out, sep);
	}
	str_addchn(out, '.', sep ? 0 : dots);
	str_add(out, n && !sep ? "  " : "");
	str_addchn(out, '.', nested_width(l, t));
	str_add(out, "\n#\n");
}

void text_nested_title(struct str *out, const struct table *t)
{
	for (size_t i = text_first_level(t); i < t->cols.n; i++) {
		if (t->cols.v[i].level > 1)
			str_add(out, " / ");
		str_add_safe(out, t->cols.v[i].title + strspn(t->cols.v[i].title, " "));
	}
}

size_t text_first_level(const struct table *t)
{
	size_t i = 0;

	while (i < t->cols.n && !t->cols.v[i].level)
		i++;
	return i;
}

/* Members of a band have titles of their own below it; those of a group share one. */
static void add_title(struct str *out, const struct layout *l, const struct table *t, size_t i,
		      bool above)
{
	const struct column *c = &t->cols.v[i];
	const char *title = !above ? c->title : c->band ? c->band : "";
	const size_t span = span_of(t, i);

	if (c->band && !above)
		for (size_t m = 0; m < span; m++)
			add_padded(out, c[m].title, strlen(c[m].title), l->width[i + m], true,
				   false);
	else
		add_padded(out, title, strlen(title), span_width(l, i, span), c->right,
			   forced(l, i));
}

static bool has_bands(const struct table *t)
{
	for vec_each(c, &t->cols)
		if (c->band)
			return true;
	return false;
}

static void add_title_line(struct str *out, const struct layout *l, const struct table *t,
			   bool above)
{
	str_add(out, "# ");
	for (size_t i = 0; i < t->cols.n; i += span_of(t, i)) {
		if (i && l->opts->sep)
			str_addch(out, l->opts->sep);
		else if (i)
			str_add(out, "  ");
		add_title(out, l, t, i, above);
	}
	str_addch(out, '\n');
}

static void add_titles(struct str *out, const struct layout *l, const struct table *t)
{
	if (has_bands(t))
		add_title_line(out, l, t, true);
	add_title_line(out, l, t, false);
	if (l->opts->sep)
		return;
	str_add(out, "# ");
	for (size_t i = 0, span; i < t->cols.n; i += span) {
		span = span_of(t, i);
		if (i)
			str_add(out, "  ");
		str_addchn(out, '.', span_width(l, i, span));
	}
	str_add(out, "\n#\n");
}

static const char *color_of(const struct layout *l, const struct cell *c)
{
	if (!l->opts->color || c->kind != CELL_PCT)
		return NULL;
	return c->d >= 5 ? COLOR_RED : c->d >= 0.5 ? COLOR_GREEN : NULL;
}

/* -t puts a blank before a number, but not before what upstream perf takes for a word. */
static bool is_number(const struct column *c, u8 kind)
{
	return kind == CELL_NUM ? !(c->form & COL_CSV_ALIGNED) :
		(kind == CELL_PCT || kind == CELL_COUNT) && !(c->form & COL_WORD);
}

/* Words are cut to the width that -w gives their column; so is a number that upstream takes for
 * one. */
static bool is_word(const struct column *c, u8 kind)
{
	return !is_number(c, kind) && kind != CELL_SYM && kind != CELL_TASK;
}

static void add_cell(struct str *out, struct layout *l, const struct table *t,
		     const struct cell *cells, size_t i)
{
	const struct column *c = &t->cols.v[i];
	bool last = i + 1 == t->cols.n, pad = !(last && c->trim);
	const char *color = color_of(l, &cells[i]);

	str_reset(&l->cell);
	text_value(&l->cell, c, &cells[i]);
	if (l->narrowed == i + 1 && display_width(str_cstr(&l->cell), l->cell.len) > l->width[i])
		cut_middle(&l->cell, l->width[i]);
	if (color)
		str_add(out, color);
	add_padded(out, str_cstr(&l->cell), l->cell.len, pad ? l->width[i] : 0, c->right,
		   forced(l, i) && is_word(c, cells[i].kind) && !c->trim);
	if (color)
		str_add(out, COLOR_END);
}

static void add_row_spaced(struct str *out, struct layout *l, const struct table *t,
			   const struct table_row *row)
{
	str_add(out, "  ");
	for (size_t i = 0, span; i < t->cols.n; i += span) {
		span = span_of(t, i);
		if (i)
			str_add(out, "  ");
		for (size_t m = 0; m < span; m++)
			add_cell(out, l, t, row->cells, i + m);
	}
	str_addch(out, '\n');
}

/* The cells of the column at i, and those of its group. */
static void add_separated(struct str *out, struct layout *l, const struct table *t,
			  const struct cell *cells, size_t i)
{
	const struct column *c = &t->cols.v[i];
	const size_t start = out->len, span = span_of(t, i);

	for (size_t m = 0; m < span; m++) {
		if (is_number(c, cells[i + m].kind))
			str_addch(out, ' ');
		str_reset(&l->cell);
		text_value(&l->cell, c, &cells[i + m]);
		if (c->form & COL_BARE_PERCENT && l->cell.len)
			l->cell.len--;
		if (c->form & COL_CSV_ALIGNED && cells[i + m].kind != CELL_NONE)
			str_addchn(out, ' ', MAX(c->width, l->cell.len) - l->cell.len);
		str_addn(out, str_cstr(&l->cell), l->cell.len);
	}
	for (char *p = out->buf + start; p < out->buf + out->len; p++)
		if (*p == l->opts->sep)
			*p = '.';
	if (i + span < t->cols.n || !c->trim) {
		size_t w = display_width(out->buf + start, out->len - start),
			want = span_width(l, i, span);

		if (w < want)
			str_addchn(out, ' ', want - w);
	}
}

static void add_row_separated(struct str *out, struct layout *l, const struct table *t,
			      const struct table_row *row)
{
	for (size_t i = 0; i < t->cols.n; i += span_of(t, i)) {
		if (i)
			str_addch(out, l->opts->sep);
		add_separated(out, l, t, row->cells, i);
	}
	str_addch(out, '\n');
}

/* Rows below the limit are hidden; where that leaves an inner row without any, it is said. */
static bool holds_none(const struct table *t, size_t r)
{
	const unsigned indent = t->rows.v[r].indent;
	size_t i = r + 1;

	while (i < t->rows.n && t->rows.v[i].indent > indent && t->rows.v[i].hidden)
		i++;
	return i > r + 1 && (i == t->rows.n || t->rows.v[i].indent <= indent);
}

/* What is in l->cell, of that column, at the left. */
static void add_name(struct str *out, const struct layout *l, const struct table *t, size_t col)
{
	const char *text = str_cstr(&l->cell);
	const size_t blank = strspn(text, " ");

	add_padded(out, text + blank, l->cell.len - blank, t->cols.v[col].trim ? 0 :
		   MAX(l->width[col], blank) - blank, false, false);
}

static size_t add_nested_row(struct str *out, struct layout *l, const struct table *t, size_t r)
{
	const size_t n = text_first_level(t), start = out->len;
	const struct table_row *row = &t->rows.v[r];
	const char sep = l->opts->sep;
	size_t name;

	str_addchn(out, ' ', row->indent * NEST_STEP + (sep ? 0 : 2));
	for (size_t i = 0, span; i < n; i += span) {
		span = span_of(t, i);
		for (size_t m = 0; m < span && !sep; m++)
			add_cell(out, l, t, row->cells, i + m);
		if (sep) {
			add_separated(out, l, t, row->cells, i);
			str_addch(out, sep);
		} else {
			str_add(out, "  ");
		}
	}
	str_addchn(out, ' ', sep ? 0 : nested_indent(t));
	name = out->len - start;
	str_reset(&l->cell);
	text_value(&l->cell, &t->cols.v[n + row->indent], &row->cells[n + row->indent]);
	for (char *p = l->cell.buf; sep && p && p < l->cell.buf + l->cell.len; p++)
		if (*p == sep)
			*p = '.';
	add_name(out, l, t, n + row->indent);
	str_addch(out, '\n');
	return name;
}

static void add_none(struct str *out, const struct text_opts *o)
{
	if (o->min_pct > 0 || !o->min_n)
		str_addf(out, "no entry >= %.2f%%\n", o->min_pct);
	else
		str_addf(out, "no entry of %llu samples or more\n", (unsigned long long)o->min_n);
}

/* With a separator it stands as far right as upstream perf has it, at every level. */
static size_t none_indent(const struct layout *l, const struct table *t)
{
	size_t w = 2;

	for (size_t i = 0; i < text_first_level(t); i += span_of(t, i))
		w += 2 + span_width(l, i, span_of(t, i));
	return w;
}

static void nested_table(struct str *out, struct layout *l, const struct table *t)
{
	const struct text_opts *o = l->opts;

	if (!o->no_titles)
		add_nested_titles(out, l, t);
	for (size_t r = 0; r < t->rows.n; r++) {
		const struct table_row *row = &t->rows.v[r];
		size_t name;

		if (row->hidden)
			continue;
		name = add_nested_row(out, l, t, r);
		if (holds_none(t, r)) {
			str_addchn(out, ' ', o->sep ? none_indent(l, t) : name + NEST_STEP);
			add_none(out, o);
		}
		if (row->tree && o->chain)
			text_call_tree(out, row->tree, o);
	}
}

static void flat_table(struct str *out, struct layout *l, const struct table *t)
{
	const struct text_opts *opts = l->opts;

	narrow(l, t);
	if (!opts->no_titles)
		add_titles(out, l, t);
	for (size_t r = 0; r < t->rows.n; r++) {
		const struct table_row *row = &t->rows.v[r];

		if (row->hidden)
			continue;
		if (opts->sep)
			add_row_separated(out, l, t, row);
		else
			add_row_spaced(out, l, t, row);
		if (row->tree && opts->chain)
			text_call_tree(out, row->tree, opts);
	}
}

void text_table(struct str *out, const struct table *t, const struct text_opts *opts)
{
	struct layout l = { .opts = opts, .width = xcalloc(t->cols.n + 1, sizeof(size_t)),
			    .cell = STR_INIT };

	measure(&l, t);
	if (text_first_level(t) < t->cols.n)
		nested_table(out, &l, t);
	else
		flat_table(out, &l, t);
	free(l.width);
	str_release(&l.cell);
}
