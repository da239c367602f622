// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/tui/list.h"

enum { WHEEL_LINES = 3, SKIP_COLUMNS = 8 };

static size_t n_rows(const struct list *l) { return l->lines->rows(l->ctx); }

static u32 height(const struct list *l, size_t row)
{
	return l->lines->height ? l->lines->height(l->ctx, row) : 1;
}

void list_init(struct list *l, struct screen *s, const struct list_lines *lines, void *ctx)
{
	*l = (struct list){ .screen = s, .lines = lines, .ctx = ctx, .page = 1 };
}

/* n lines further, or as far as there are lines; true: all n */
static bool step(const struct list *l, struct list_pos *p, size_t n)
{
	const size_t rows = n_rows(l);

	while (n) {
		const size_t left = height(l, p->row) - 1 - p->sub;

		if (n <= left) {
			p->sub += (u32)n;
			return true;
		}
		if (p->row + 1 >= rows) {
			p->sub += (u32)left;
			return false;
		}
		n -= left + 1;
		p->row++;
		p->sub = 0;
	}
	return true;
}

static void step_back(const struct list *l, struct list_pos *p, size_t n)
{
	while (n) {
		if (n <= p->sub) {
			p->sub -= (u32)n;
			return;
		}
		n -= p->sub;
		p->sub = 0;
		if (!p->row)
			return;
		n--;
		p->row--;
		p->sub = height(l, p->row) - 1;
	}
}

static bool before(struct list_pos a, struct list_pos b)
{
	return a.row != b.row ? a.row < b.row : a.sub < b.sub;
}

/* Where there are lines. */
static void clamp(const struct list *l, struct list_pos *p)
{
	const size_t rows = n_rows(l);

	if (!rows) {
		*p = (struct list_pos){ 0 };
	} else if (p->row >= rows) {
		p->row = rows - 1;
		p->sub = height(l, p->row) - 1;
	} else if (p->sub) {
		p->sub = MIN(p->sub, height(l, p->row) - 1);
	}
}

/* The cursor is on the screen, and no line at its end stays empty while some are above. */
static void settle(struct list *l)
{
	struct list_pos last;

	clamp(l, &l->cursor);
	clamp(l, &l->top);
	if (!n_rows(l))
		return;
	if (before(l->cursor, l->top))
		l->top = l->cursor;
	last = l->cursor;
	step_back(l, &last, (size_t)l->page - 1);
	if (before(l->top, last))
		l->top = last;
	last = l->top;
	if (!step(l, &last, (size_t)l->page - 1)) {
		l->top = last;
		step_back(l, &l->top, (size_t)l->page - 1);
	}
}

void list_go(struct list *l, struct list_pos to)
{
	l->cursor = to;
	settle(l);
}

int list_line(const struct list *l)
{
	struct list_pos p = l->top;
	int n = 0;

	while (n + 1 < l->page && before(p, l->cursor) && step(l, &p, 1))
		n++;
	return n;
}

void list_go_line(struct list *l, struct list_pos to, int line)
{
	l->cursor = to;
	clamp(l, &l->cursor);
	l->top = l->cursor;
	if (n_rows(l))
		step_back(l, &l->top, (size_t)line);
	settle(l);
}

static void list_move(struct list *l, long n)
{
	if (!n_rows(l))
		return;
	if (n < 0)
		step_back(l, &l->cursor, (size_t)-n);
	else
		step(l, &l->cursor, (size_t)n);
	settle(l);
}

void list_row_changed(struct list *l)
{
	clamp(l, &l->cursor);
	settle(l);
}

/* Page keys show the next page whole, and the cursor keeps its place on the screen. */
static void page(struct list *l, bool down)
{
	const size_t n = (size_t)l->page;

	if (!n_rows(l))
		return;
	if (down) {
		step(l, &l->top, n);
		step(l, &l->cursor, n);
	} else {
		step_back(l, &l->top, n);
		step_back(l, &l->cursor, n);
	}
	settle(l);
}

/* false: the cursor is there already */
static bool click(struct list *l, int row)
{
	struct list_pos p = l->top;

	if (row < l->first_line || row >= l->first_line + l->page || !n_rows(l))
		return true;
	if (!step(l, &p, (size_t)(row - l->first_line)))
		return true;
	if (p.row == l->cursor.row && p.sub == l->cursor.sub)
		return false;
	list_go(l, p);
	return true;
}

bool list_key(struct list *l, const struct screen_key *k)
{
	switch (k->code) {
	case KEY_UP: list_move(l, -1); break;
	case KEY_DOWN: list_move(l, 1); break;
	case KEY_WHEEL_UP: list_move(l, -WHEEL_LINES); break;
	case KEY_WHEEL_DOWN: list_move(l, WHEEL_LINES); break;
	case KEY_PAGE_UP: page(l, false); break;
	case KEY_PAGE_DOWN:
	case ' ': page(l, true); break;
	case KEY_HOME: list_go(l, (struct list_pos){ 0 }); break;
	case KEY_END: list_go(l, (struct list_pos){ SIZE_MAX, 0 }); break;
	case '<': l->skip -= MIN(l->skip, (size_t)SKIP_COLUMNS); break;
	case '>': l->skip += SKIP_COLUMNS; break;
	case KEY_CLICK: return click(l, k->row);
	default: return false;
	}
	return true;
}

/* On the right, where there is more than the screen shows: where in the rows this is. */
static void draw_bar(struct list *l, int cols)
{
	const size_t rows = n_rows(l);
	const int mark = rows > 1 ? (int)((double)l->top.row * (l->page - 1) /
					  (double)(rows - 1)) : 0;

	for (int i = 0; i < l->page; i++) {
		const char *c = l->screen->utf8 ? (i == mark ? "◆" : "▒") : i == mark ? "#" : "|";

		screen_put(l->screen, l->first_line + i, cols - 1, 1, c, COLOR_NORMAL);
	}
}

static bool has_more(const struct list *l)
{
	struct list_pos p = { 0 };

	return n_rows(l) && (l->top.row || l->top.sub || step(l, &p, (size_t)l->page));
}

static void draw_rows(struct list *l, int width)
{
	struct list_pos p = l->top;
	struct line line = { 0 };
	bool more = n_rows(l) > 0;

	for (int i = 0; i < l->page; i++) {
		const bool here = more && p.row == l->cursor.row && p.sub == l->cursor.sub;

		line_reset(&line);
		if (more)
			l->lines->draw(l->ctx, p, &line);
		screen_put_line(l->screen, (struct screen_place){ l->first_line + i, 0, width },
				&line, l->skip, here ? COLOR_SELECTED : N_COLORS);
		more = more && step(l, &p, 1);
	}
	line_release(&line);
}

void list_draw(struct list *l, const struct list_frame *f)
{
	int rows, cols, at = 0;
	bool bar;

	screen_size(l->screen, &rows, &cols);
	if (f->title)
		screen_put(l->screen, at++, 0, cols, f->title, COLOR_ROOT);
	if (f->heads)
		screen_put_line(l->screen, (struct screen_place){ at++, 0, cols }, f->heads,
				l->skip, COLOR_ROOT);
	l->first_line = at;
	l->page = MAX(rows - at - (f->help ? 1 : 0), 1);
	settle(l);
	bar = has_more(l);
	draw_rows(l, bar ? cols - 1 : cols);
	if (bar)
		draw_bar(l, cols);
	if (f->help)
		screen_put(l->screen, rows - 1, 0, cols, f->help, COLOR_ROOT);
	screen_flush(l->screen);
}
