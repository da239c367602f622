// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/tui/dialog.h"

#include "util/base/utf8.h"

struct box { int row, col, rows, cols; };	/* what is inside of the frame */

static void draw_edge(struct screen *s, const struct box *b, int row, bool top, const char *title)
{
	static const char *const utf8[] = { "┌", "┐", "└", "┘", "─" };
	static const char *const ascii[] = { "+", "+", "+", "+", "-" };
	const char *const *c = s->utf8 ? utf8 : ascii;
	struct line l = { 0 };

	line_add(&l, COLOR_NORMAL, c[top ? 0 : 2]);
	if (title && b->cols > 2) {
		line_add(&l, COLOR_NORMAL, c[4]);
		line_add_name(&l, COLOR_NORMAL, title);
	}
	while (screen_text_width(str_cstr(&l.text), l.text.len) < (size_t)b->cols + 1)
		line_add(&l, COLOR_NORMAL, c[4]);
	screen_put_line(s, (struct screen_place){ row, b->col - 1, b->cols + 1 }, &l, 0,
			N_COLORS);
	screen_put(s, row, b->col + b->cols, 1, c[top ? 1 : 3], COLOR_NORMAL);
	line_release(&l);
}

/* In the middle, as large as it should be or the screen is. */
static struct box draw_box(struct screen *s, int want_rows, int want_cols, const char *title)
{
	int rows, cols;
	struct box b;

	screen_size(s, &rows, &cols);
	b.rows = MAX(MIN(want_rows, rows - 2), 1);
	b.cols = MAX(MIN(want_cols, cols - 2), 1);
	b.row = (rows - b.rows) / 2;
	b.col = (cols - b.cols) / 2;
	draw_edge(s, &b, b.row - 1, true, title);
	draw_edge(s, &b, b.row + b.rows, false, NULL);
	for (int i = 0; i < b.rows; i++) {
		screen_put(s, b.row + i, b.col - 1, b.cols + 2, "", COLOR_NORMAL);
		screen_put(s, b.row + i, b.col - 1, 1, s->utf8 ? "│" : "|", COLOR_NORMAL);
		screen_put(s, b.row + i, b.col + b.cols, 1, s->utf8 ? "│" : "|", COLOR_NORMAL);
	}
	return b;
}

static void put_text(struct screen *s, const struct box *b, int row, const char *text,
		     enum screen_color c)
{
	struct line l = { 0 };

	line_add_name(&l, c, text);
	screen_put_line(s, (struct screen_place){ b->row + row, b->col, b->cols }, &l, 0, c);
	line_release(&l);
}

static int text_cols(const char *text)
{
	struct str safe = STR_INIT;
	int w;

	str_add_safe(&safe, text);
	w = (int)MIN(screen_text_width(str_cstr(&safe), safe.len), (size_t)1000);
	str_release(&safe);
	return w;
}

static void behind(struct screen *s)
{
	if (s->backdrop)
		s->backdrop(s->backdrop_ctx);
}

/* ---- menu ---- */

struct menu {
	struct screen *s;
	const char *title;
	const char *const *items;
	int n, at, top;
	struct box box;
};

static void draw_menu(struct menu *m)
{
	int width = m->title ? text_cols(m->title) + 2 : 10;

	for (int i = 0; i < m->n; i++)
		width = MAX(width, text_cols(m->items[i]));
	m->box = draw_box(m->s, m->n, width, m->title);
	m->top = MIN(m->top, m->at);
	m->top = MAX(m->top, m->at - m->box.rows + 1);
	for (int i = 0; i < m->box.rows && m->top + i < m->n; i++)
		put_text(m->s, &m->box, i, m->items[m->top + i],
			 m->top + i == m->at ? COLOR_SELECTED : COLOR_NORMAL);
	screen_flush(m->s);
}

/* The item that is at this line of the screen, or -1. */
static int menu_item_at(const struct menu *m, const struct screen_key *k)
{
	const int i = k->row - m->box.row;

	return i >= 0 && i < m->box.rows && m->top + i < m->n && k->col >= m->box.col &&
		k->col < m->box.col + m->box.cols ? m->top + i : -1;
}

static void menu_move(struct menu *m, int n)
{
	m->at = MAX(MIN(m->at + n, m->n - 1), 0);
}

int dialog_menu(struct screen *s, const char *title, const char *const *items, size_t n)
{
	struct menu m = { .s = s, .title = title, .items = items, .n = (int)n };

	for (;;) {
		struct screen_key k;

		draw_menu(&m);
		k = screen_key(s, -1);
		switch (k.code) {
		case KEY_UP: case KEY_WHEEL_UP: menu_move(&m, -1); break;
		case KEY_DOWN: case KEY_WHEEL_DOWN: menu_move(&m, 1); break;
		case KEY_PAGE_UP: menu_move(&m, -m.box.rows); break;
		case KEY_PAGE_DOWN: menu_move(&m, m.box.rows); break;
		case KEY_HOME: m.at = 0; break;
		case KEY_END: m.at = m.n - 1; break;
		case KEY_ENTER: case KEY_RIGHT: return m.n ? m.at : -1;
		case KEY_CLICK: return menu_item_at(&m, &k);
		case KEY_RESIZE: behind(s); break;
		case KEY_ESC: case KEY_LEFT: case 'q': case KEY_CTRL('c'): case KEY_CLOSED:
			return -1;
		default: break;
		}
	}
}

/* ---- text ---- */

struct text_lines { VEC(char *) v; };

static void split_lines(const char *text, struct text_lines *out)
{
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
		vec_push(&out->v, xstrndup(p, strcspn(p, "\n")));
}

static void free_lines(struct text_lines *t)
{
	for vec_each(line, &t->v)
		free(*line);
	vec_free(&t->v);
}

/* Yields how many lines could be shown. */
static int draw_text(struct screen *s, const char *title, const struct text_lines *t, int top)
{
	int width = title ? text_cols(title) + 2 : 1;
	struct box b;

	for vec_each(line, &t->v)
		width = MAX(width, text_cols(*line));
	b = draw_box(s, (int)t->v.n, width, title);
	for (int i = 0; i < b.rows && (size_t)(top + i) < t->v.n; i++)
		put_text(s, &b, i, t->v.v[top + i], COLOR_NORMAL);
	screen_flush(s);
	return b.rows;
}

void dialog_text(struct screen *s, const char *title, const char *text)
{
	struct text_lines t = { 0 };
	int top = 0, n;

	split_lines(text, &t);
	for (bool open = true; open;) {
		int shown = draw_text(s, title, &t, top);

		n = (int)t.v.n;
		switch (screen_key(s, -1).code) {
		case KEY_RESIZE: behind(s); top = 0; break;
		case KEY_TIMEOUT: break;
		case KEY_DOWN: case KEY_WHEEL_DOWN:
			open = shown < n;
			top = MIN(top + 1, n - shown);
			break;
		case KEY_UP: case KEY_WHEEL_UP:
			open = shown < n;
			top = MAX(top - 1, 0);
			break;
		case KEY_PAGE_DOWN: case ' ':
			open = shown < n;
			top = MIN(top + shown, n - shown);
			break;
		case KEY_PAGE_UP:
			open = shown < n;
			top = MAX(top - shown, 0);
			break;
		default: open = false; break;
		}
	}
	free_lines(&t);
}

/* ---- questions ---- */

enum { INPUT_COLS = 60 };

static void draw_input(struct screen *s, const char *title, const struct text_lines *t,
		       const struct str *value)
{
	int width = INPUT_COLS;
	const int n = (int)t->v.n;
	size_t w = screen_text_width(str_cstr(value), value->len), skip;
	struct line l = { 0 };
	struct box b;

	for vec_each(line, &t->v)
		width = MAX(width, text_cols(*line));
	b = draw_box(s, n + 4, width, title);
	for (int i = 0; i < n; i++)
		put_text(s, &b, i, t->v.v[i], COLOR_NORMAL);
	line_add_name(&l, COLOR_SELECTED, str_cstr(value));
	line_add(&l, COLOR_SELECTED, "_");
	skip = w + 1 > (size_t)b.cols ? w + 1 - (size_t)b.cols : 0;
	screen_put_line(s, (struct screen_place){ b.row + MIN(n + 1, b.rows - 1), b.col, b.cols },
			&l, skip, COLOR_SELECTED);
	line_release(&l);
	if (b.rows > n + 3)
		put_text(s, &b, n + 3, "ENTER: OK, ESC: Cancel", COLOR_NORMAL);
	screen_flush(s);
}

static void drop_last_char(struct str *v)
{
	while (v->len && ((u8)v->buf[v->len - 1] & 0xc0) == 0x80)
		v->buf[--v->len] = '\0';
	if (v->len)
		v->buf[--v->len] = '\0';
}

static void add_char(struct str *v, u32 c)
{
	if (c < 0x80) {
		str_addch(v, (char)c);
	} else if (c < 0x800) {
		str_addch(v, (char)(0xc0 | c >> 6));
		str_addch(v, (char)(0x80 | (c & 0x3f)));
	} else {
		if (c < 0x10000) {
			str_addch(v, (char)(0xe0 | c >> 12));
		} else {
			str_addch(v, (char)(0xf0 | c >> 18));
			str_addch(v, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		str_addch(v, (char)(0x80 | (c >> 6 & 0x3f)));
		str_addch(v, (char)(0x80 | (c & 0x3f)));
	}
}

bool dialog_input(struct screen *s, const char *title, const char *text, struct str *value)
{
	struct text_lines t = { 0 };
	bool open = true, ok = false;

	split_lines(text, &t);
	while (open) {
		struct screen_key k;

		draw_input(s, title, &t, value);
		k = screen_key(s, -1);
		switch (k.code) {
		case KEY_ENTER: ok = true; open = false; break;
		case KEY_ESC: case KEY_CTRL('c'): case KEY_CLOSED: open = false; break;
		case KEY_BACKSPACE: drop_last_char(value); break;
		case KEY_CTRL('u'): str_reset(value); break;
		case KEY_RESIZE: behind(s); break;
		default:
			if ((k.code >= ' ' && k.code < 0x7f) || utf8_is_shown(k.code))
				if (k.code < KEY_UP)
					add_char(value, k.code);
			break;
		}
	}
	free_lines(&t);
	return ok;
}

bool dialog_confirm(struct screen *s, const char *question)
{
	for (;;) {
		struct text_lines t = { 0 };
		u32 code;

		vec_push(&t.v, xstrdup(question));
		vec_push(&t.v, xstrdup(""));
		vec_push(&t.v, xstrdup("Enter: Yes, ESC: No"));
		draw_text(s, NULL, &t, 0);
		free_lines(&t);
		code = screen_key(s, -1).code;
		switch (code) {
		case KEY_ENTER: case 'y': case KEY_CTRL('c'): case KEY_CLOSED: return true;
		case KEY_ESC: case 'n': return false;
		case KEY_RESIZE: behind(s); break;
		default: break;
		}
	}
}

void dialog_bar(struct screen *s, const char *title, double share, const char *text)
{
	struct line bar = { 0 };
	const struct box b = draw_box(s, 3, INPUT_COLS, title);
	const int full = share < 0 ? 0 : (int)(MIN(share, 1.0) * b.cols);

	str_addchn(&bar.text, ' ', (size_t)full);
	line_mark(&bar, COLOR_SELECTED);
	screen_put_line(s, (struct screen_place){ b.row, b.col, b.cols }, &bar, 0, N_COLORS);
	line_release(&bar);
	if (b.rows > 2)
		put_text(s, &b, 2, text, COLOR_NORMAL);
	screen_flush(s);
}
