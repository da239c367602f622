// SPDX-License-Identifier: GPL-2.0-or-later
// What both kinds of screens have in common: clipping, and lines in pieces.
#include "util/view/tui/screen.h"

#include "util/base/utf8.h"

enum screen_color screen_pct_color(double pct)
{
	return pct >= 5 ? COLOR_TOP : pct >= 0.5 ? COLOR_MEDIUM : COLOR_NORMAL;
}

/* Marks that stand above the character before them; and characters of Chinese, Japanese and
 * Korean, and pictures, which terminals draw two columns wide (Unicode, UAX 11). */
static const struct { u32 from, to; u8 width; } widths[] = {
	{ 0x300, 0x36f, 0 }, { 0x483, 0x489, 0 }, { 0x591, 0x5bd, 0 }, { 0x610, 0x61a, 0 },
	{ 0x64b, 0x65f, 0 }, { 0x1100, 0x115f, 2 }, { 0x1ab0, 0x1aff, 0 }, { 0x1dc0, 0x1dff, 0 },
	{ 0x200b, 0x200f, 0 }, { 0x20d0, 0x20ff, 0 }, { 0x2e80, 0x303e, 2 }, { 0x3041, 0x33ff, 2 },
	{ 0x3400, 0x4dbf, 2 }, { 0x4e00, 0x9fff, 2 }, { 0xa000, 0xa4cf, 2 }, { 0xac00, 0xd7a3, 2 },
	{ 0xf900, 0xfaff, 2 }, { 0xfe00, 0xfe0f, 0 }, { 0xfe20, 0xfe2f, 0 }, { 0xfe30, 0xfe6f, 2 },
	{ 0xff00, 0xff60, 2 }, { 0xffe0, 0xffe6, 2 }, { 0x1f300, 0x1f64f, 2 },
	{ 0x1f900, 0x1f9ff, 2 }, { 0x20000, 0x3fffd, 2 },
};

int screen_char_width(u32 c)
{
	if (c < 0x300)
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(widths) && c >= widths[i].from; i++)
		if (c <= widths[i].to)
			return widths[i].width;
	return 1;
}

struct character { size_t len; int width; bool plain; };

/* The one at s; what cannot be shown on this screen is not plain: '?' stands for it. */
static struct character next_char(const char *s, size_t n, bool utf8)
{
	const u8 c = (u8)*s;
	size_t len;
	u32 code;

	if (c < 0x80)
		return (struct character){ 1, 1, c >= 0x20 && c != 0x7f };
	len = utf8_len(s, n);
	if (!len)
		return (struct character){ 1, 1, false };
	code = utf8_decode(s, len);
	return (struct character){ len, screen_char_width(code), utf8 && utf8_is_shown(code) };
}

size_t screen_text_width(const char *s, size_t n)
{
	size_t w = 0;

	for (size_t i = 0; i < n;) {
		const struct character c = next_char(s + i, n - i, true);

		w += (size_t)c.width;
		i += c.len;
	}
	return w;
}

/* What is being put: where, and how far it may go. */
struct pen {
	struct screen *s;
	int row, col, end;
	size_t skip;		/* columns that are still to be left out */
	enum screen_color color;
	bool full;
};

/* The n bytes, w columns wide. */
static void pen_put(struct pen *p, const char *text, size_t n, int w)
{
	if (n)
		p->s->ops->put(p->s, p->row, p->col, text, n, p->color);
	p->col += w;
}

/* n bytes in one colour; what does not fit is left out. */
static void pen_text(struct pen *p, const char *text, size_t n)
{
	size_t from = 0, i = 0;
	int w = 0;		/* of what was seen since from */

	for (struct character c; i < n; i += c.len) {
		c = next_char(text + i, n - i, p->s->utf8);
		if (p->skip) {
			p->skip -= MIN(p->skip, (size_t)c.width);
			from = i + c.len;
		} else if (p->col + w + c.width > p->end) {
			p->full = true;	/* nothing narrower goes into its place */
			break;
		} else if (c.plain) {
			w += c.width;
		} else {
			pen_put(p, text + from, i - from, w);
			for (w = 0; w < c.width; w++)
				pen_put(p, "?", 1, 1);
			w = 0;
			from = i + c.len;
		}
	}
	pen_put(p, text + from, i - from, w);
}

static void pen_fill(struct pen *p)
{
	static const char blanks[] = "                                        ";

	while (p->col < p->end) {
		const int n = MIN(p->end - p->col, (int)sizeof(blanks) - 1);

		pen_put(p, blanks, (size_t)n, n);
	}
}

static bool pen_start(struct pen *p, int width)
{
	int rows, cols;

	screen_size(p->s, &rows, &cols);
	p->end = width < 0 || width > cols - p->col ? cols : p->col + width;
	return p->row >= 0 && p->row < rows && p->col >= 0 && p->col < p->end;
}

int screen_put(struct screen *s, int row, int col, int width, const char *text,
	       enum screen_color color)
{
	struct pen p = { .s = s, .row = row, .col = col, .color = color };

	if (!pen_start(&p, width))
		return col;
	pen_text(&p, text, strlen(text));
	if (width >= 0)
		pen_fill(&p);
	return p.col;
}

void screen_put_line(struct screen *s, struct screen_place place, const struct line *l, size_t skip,
		     enum screen_color color)
{
	struct pen p = { .s = s, .row = place.row, .col = place.col, .skip = skip };
	u32 at = 0;

	if (!pen_start(&p, place.width))
		return;
	for vec_each(span, &l->spans) {
		if (p.full)
			break;
		p.color = color < N_COLORS ? color : span->color;
		pen_text(&p, l->text.buf + at, span->end - at);
		at = span->end;
	}
	p.color = color < N_COLORS ? color : COLOR_NORMAL;
	pen_fill(&p);
}

void screen_flush(struct screen *s) { s->ops->flush(s); }

struct screen_key screen_key(struct screen *s, int timeout_ms)
{
	return s->ops->key(s, timeout_ms);
}

void screen_suspend(struct screen *s) { s->ops->suspend(s); }

int screen_run(struct screen *s, const struct run_opts *o, bool wait, struct err *err)
{
	return s->ops->run(s, o, wait, err);
}

void screen_free(struct screen *s)
{
	if (s)
		s->ops->free(s);
}

/* ---- lines ---- */

void line_reset(struct line *l)
{
	str_reset(&l->text);
	vec_clear(&l->spans);
}

void line_release(struct line *l)
{
	str_release(&l->text);
	vec_free(&l->spans);
}

void line_mark(struct line *l, enum screen_color color)
{
	const u32 begin = l->spans.n ? vec_last(&l->spans)->end : 0;

	if (l->text.len == begin)
		return;
	if (l->spans.n && vec_last(&l->spans)->color == color)
		vec_last(&l->spans)->end = (u32)l->text.len;
	else
		vec_push(&l->spans, ((struct line_span){ (u32)l->text.len, (u8)color }));
}

void line_add(struct line *l, enum screen_color color, const char *text)
{
	str_add(&l->text, text);
	line_mark(l, color);
}

void line_add_name(struct line *l, enum screen_color color, const char *name)
{
	str_add_safe(&l->text, name);
	line_mark(l, color);
}

void line_addf(struct line *l, enum screen_color color, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_addv(&l->text, fmt, ap);
	va_end(ap);
	line_mark(l, color);
}
