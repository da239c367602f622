// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/heatmap-draw.h"

#include <stdlib.h>

#include "util/base/num.h"

enum { LABEL = 10, MAX_ROWS = 25, WIDTH = 100, TICK = 20 };

/* Where there is only ASCII a dash is one, and other characters are question marks. */
static void add_words(struct str *out, const char *text, bool ascii)
{
	struct str s = STR_INIT;

	str_add_safe(&s, text);
	for (size_t i = 0; i < s.len; i++) {
		const u8 c = (u8)s.buf[i];

		if (c < 0x80 || !ascii)
			str_addch(out, (char)c);
		else if (c >= 0xc0)
			str_addch(out, str_has_prefix(s.buf + i, "·") ||
				  str_has_prefix(s.buf + i, "–") ? '-' : '?');
	}
	str_release(&s);
}

/* One of n shades; not nothing: at least the first. */
static const char *shade(u64 n, u64 most, bool ascii)
{
	static const char *const blocks[] = { " ", "░", "▒", "▓", "█" };
	static const char *const signs[] = { " ", ".", "-", "+", "*", "#" };
	const u64 levels = ascii ? ARRAY_SIZE(signs) - 1 : ARRAY_SIZE(blocks) - 1;
	const u64 i = n ? (u64)((double)(n - 1) / (double)most * (double)levels) + 1 : 0;

	return ascii ? signs[i] : blocks[i];
}

static void add_span(struct str *s, u64 ns)
{
	static const struct { u64 ns; const char *unit; } of[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		const double v = (double)ns / (double)of[i].ns;

		if (ns < of[i].ns)
			continue;
		str_addf(s, "%.*f %s", ns % of[i].ns == 0 ? 0 : v < 10 ? 2 : v < 100 ? 1 : 0, v,
			 of[i].unit);
		return;
	}
	str_addf(s, "%llu ns", (unsigned long long)ns);
}

static void add_label(struct str *out, const char *text)
{
	str_addchn(out, ' ', strlen(text) < LABEL ? LABEL - strlen(text) : 0);
	str_add(out, text);
}

static void add_row(const struct heatmap *h, const u64 *grid, u32 row, u64 most, bool ascii,
		    struct str *out)
{
	struct str label = STR_INIT;

	add_span(&label, heat_row_from_ns(h, row));
	add_label(out, str_cstr(&label));
	str_add(out, ascii ? " |" : " │");
	for (u32 col = 0; col < h->n_cols; col++)
		str_add(out, shade(grid[(size_t)col * h->n_rows + row], most, ascii));
	while (out->len && out->buf[out->len - 1] == ' ')
		out->len--;
	str_addch(out, '\n');
	str_release(&label);
}

/* When columns begin. */
static void add_times(const struct heatmap *h, bool ascii, struct str *out)
{
	str_addchn(out, ' ', LABEL);
	str_add(out, ascii ? " +" : " └");
	for (u32 col = 0; col < h->n_cols; col++)
		str_add(out, ascii ? (col % TICK ? "-" : "+") : col % TICK ? "─" : "┴");
	str_addch(out, '\n');
	str_addchn(out, ' ', LABEL + 2);
	for (u32 col = 0; col < h->n_cols; col += TICK) {
		const size_t from = out->len;

		str_add_time(out, h->from_ns + col * h->col_ns, 3);
		str_add(out, " s");
		if (col + TICK < h->n_cols && out->len - from < TICK)
			str_addchn(out, ' ', TICK - (out->len - from));
	}
	str_addch(out, '\n');
}

static void add_grid(const struct heatmap *h, bool ascii, struct str *out)
{
	u64 *grid = xcalloc((size_t)h->n_cols * h->n_rows + 1, sizeof(*grid));
	const u64 most = heat_max(h);
	u32 first = h->n_rows;

	for vec_each(c, &h->cells) {
		grid[(size_t)c->col * h->n_rows + c->row] = c->n;
		first = MIN(first, c->row);
	}
	if (h->scale != HEAT_LOG2)
		first = 0;
	for (u32 row = h->n_rows; row-- > first;)
		add_row(h, grid, row, most, ascii, out);
	free(grid);
	add_times(h, ascii, out);
	str_add(out, "one column is ");
	add_span(out, h->col_ns);
	if (h->scale != HEAT_LOG2) {
		str_add(out, ", one row ");
		add_span(out, h->row_ns);
	}
	str_add(out, "; in the fullest place there are ");
	str_add_grouped(out, most);
	str_addch(out, '\n');
}

static void add_pct(const struct heatmap *h, struct str *out)
{
	for (size_t i = 0; i < HEAT_N_PCT; i++) {
		str_addf(out, "%sp%g ", i ? "  " : "", heat_pct[i]);
		add_span(out, h->all.pct[i]);
	}
	str_add(out, "  max ");
	add_span(out, h->all.max_ns);
	str_addch(out, '\n');
}

static void add_unpaired(const struct pairs_stats *p, struct str *out)
{
	if (!p->n_open && !p->n_lone && !p->n_bad)
		return;
	str_add(out, "not paired: ");
	str_add_grouped(out, p->n_open);
	str_add(out, " that did not end, ");
	str_add_grouped(out, p->n_lone);
	str_add(out, " that did not begin");
	if (p->n_bad) {
		str_add(out, ", ");
		str_add_grouped(out, p->n_bad);
		str_add(out, " without their fields");
	}
	str_addch(out, '\n');
}

void heatmap_text(const struct heatmap *h, const struct pairs_stats *pairs,
		  const struct heatmap_look *l, struct str *out)
{
	const int width = l->width ? l->width : WIDTH;
	struct heatmap coarse;

	if (l->title) {
		add_words(out, l->title, l->ascii);
		str_addch(out, '\n');
	}
	if (l->subtitle) {
		add_words(out, l->subtitle, l->ascii);
		str_addch(out, '\n');
	}
	add_words(out, l->what, l->ascii);
	str_add(out, ": ");
	str_add_grouped(out, h->all.n);
	str_addf(out, " %s%s\n\n", pairs ? "pair" : "sample", h->all.n == 1 ? "" : "s");
	heat_coarse(h, (u32)MAX(width - LABEL - 2, 1), MAX_ROWS, &coarse);
	add_grid(&coarse, l->ascii, out);
	heatmap_release(&coarse);
	if (pairs) {
		add_pct(h, out);
		add_unpaired(pairs, out);
	}
}
