// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/tui/icicle.h"

#include "util/base/utf8.h"

/* ---- where nodes are ---- */

void icicle_init(struct icicle *p, const struct flame_tree *t, const struct event *event)
{
	const size_t n = t->nodes.n;
	u64 *next = xcalloc(n, sizeof(*next));

	*p = (struct icicle){ .tree = t, .depth = xcalloc(n, sizeof(u32)),
			      .end = xcalloc(n, sizeof(u32)), .from = xcalloc(n, sizeof(u64)) };
	flame_weigh(t, event, &p->w);
	for (size_t i = 1; i < n; i++) {
		const u32 above = t->nodes.v[i].parent;

		p->depth[i] = p->depth[above] + 1;
		p->from[i] = next[i] = next[above];
		next[above] += p->w.total[i];
	}
	for (size_t i = n; i-- > 0;) {
		const u32 above = t->nodes.v[i].parent;

		p->end[i] = MAX(p->end[i], (u32)i + 1);
		p->end[above] = MAX(p->end[above], p->end[i]);
	}
	free(next);
}

void icicle_release(struct icicle *p)
{
	flame_weights_release(&p->w);
	free(p->depth);
	free(p->end);
	free(p->from);
	memset(p, 0, sizeof(*p));
}

double icicle_pct(const struct icicle *p, u64 part)
{
	return p->w.total[0] ? 100.0 * (double)part / (double)p->w.total[0] : 0;
}

/* ---- columns ---- */

struct cell { u32 node; int from, to; };

static int column(const struct icicle *p, const struct icicle_view *v, u64 at)
{
	const double share = (double)(at - p->from[v->zoom]) / (double)p->w.total[v->zoom];

	return (int)(share * v->cols + 0.5);
}

/* Of a node at or below the zoomed one; to == from: it cannot be seen. */
static struct cell cell_of(const struct icicle *p, const struct icicle_view *v, u32 node)
{
	struct cell c = { .node = node };

	if (!p->w.total[node])
		return c;
	c.from = column(p, v, p->from[node]);
	c.to = column(p, v, p->from[node] + p->w.total[node]);
	if (c.from == c.to && icicle_holds(p, node, v->selected)) {
		c.from = MIN(c.from, v->cols - 1);
		c.to = c.from + 1;
	}
	return c;
}

/* The next one from *at on that can be seen, no deeper than max_depth. */
static bool next_cell(const struct icicle *p, const struct icicle_view *v, u32 max_depth, u32 *at,
		      struct cell *out)
{
	while (*at < p->end[v->zoom]) {
		const u32 node = *at;

		*out = cell_of(p, v, node);
		*at = out->from < out->to && p->depth[node] < max_depth ? node + 1 : p->end[node];
		if (out->from < out->to)
			return true;
	}
	return false;
}

u32 icicle_levels(const struct icicle *p, const struct icicle_view *v)
{
	u32 at = v->zoom, n = p->depth[v->zoom];
	struct cell c;

	while (next_cell(p, v, UINT32_MAX, &at, &c))
		n = MAX(n, p->depth[c.node]);
	return n + 1;
}

/* The one above node, or node itself, that is on the level. */
static u32 above_on(const struct icicle *p, u32 node, u32 level)
{
	while (p->depth[node] > level)
		node = p->tree->nodes.v[node].parent;
	return node;
}

u32 icicle_at(const struct icicle *p, const struct icicle_view *v, int row, int col)
{
	const u32 level = v->top + (u32)row;
	u32 at = v->zoom;
	struct cell c;

	if (row < 0 || row >= v->rows || !p->w.total[v->zoom])
		return ICICLE_NONE;
	if (level < p->depth[v->zoom])
		return above_on(p, v->zoom, level);
	while (next_cell(p, v, level, &at, &c))
		if (p->depth[c.node] == level && c.from <= col && col < c.to)
			return c.node;
	return ICICLE_NONE;
}

u32 icicle_beside(const struct icicle *p, const struct icicle_view *v, bool right)
{
	const u32 level = p->depth[v->selected];
	u32 last = ICICLE_NONE, at = right ? p->end[v->selected] : v->zoom;
	struct cell c;

	if (level <= p->depth[v->zoom] || !icicle_holds(p, v->zoom, v->selected))
		return ICICLE_NONE;
	while (next_cell(p, v, level, &at, &c)) {
		if (p->depth[c.node] != level)
			continue;
		if (right)
			return c.node;
		if (c.node >= v->selected)
			break;
		last = c.node;
	}
	return last;
}

u32 icicle_callee(const struct icicle *p, u32 node)
{
	u32 best = ICICLE_NONE;

	for (u32 i = node + 1; i < p->end[node]; i = p->end[i])
		if (p->w.total[i] && (best == ICICLE_NONE || p->w.total[i] > p->w.total[best]))
			best = i;
	return best;
}

/* ---- drawing ---- */

const char *icicle_kind_tag(enum flame_kind kind)
{
	static const char *const tags[FLAME_KIND_NR] = { [FLAME_USER] = "", [FLAME_KERNEL] = "[k] ",
		[FLAME_INLINED] = "[i] ", [FLAME_JIT] = "[j] ", [FLAME_UNNAMED] = "" };

	return tags[kind];
}

/* As much of the text as fits, filled with blanks; ".." where there is more. */
static void add_fitting(struct line *l, enum screen_color color, const char *text, int cols)
{
	const size_t n = strlen(text);
	const bool cut = screen_text_width(text, n) > (size_t)cols;
	const int room = cut && cols > 3 ? cols - 2 : cols;
	int w = 0;

	for (size_t i = 0, len; i < n; i += len) {
		int width;

		len = MAX(utf8_len(text + i, n - i), (size_t)1);
		width = len > 1 ? screen_char_width(utf8_decode(text + i, len)) : 1;
		if (w + width > room)
			break;
		str_addn(&l->text, text + i, len);
		w += width;
	}
	str_addchn(&l->text, cut && cols > 3 ? '.' : ' ', (size_t)(room < cols ? cols - room : 0));
	str_addchn(&l->text, ' ', (size_t)(room - w));
	line_mark(l, color);
}

static enum screen_color color_of(const struct icicle *p, const struct icicle_view *v, u32 node)
{
	static const u8 of[FLAME_KIND_NR] = { [FLAME_USER] = COLOR_USER,
		[FLAME_KERNEL] = COLOR_KERNEL, [FLAME_INLINED] = COLOR_INLINED,
		[FLAME_JIT] = COLOR_JIT, [FLAME_UNNAMED] = COLOR_NORMAL };
	const u32 frame = p->tree->nodes.v[node].frame;

	if (node == v->selected)
		return COLOR_SELECTED;
	if (!node)
		return COLOR_NORMAL;
	return v->match && v->match[frame] ? COLOR_MATCH : of[p->tree->frames.v[frame].kind];
}

static void add_label(const struct icicle *p, const struct icicle_view *v, u32 node,
		      struct str *out)
{
	const struct flame_frame *f = &p->tree->frames.v[p->tree->nodes.v[node].frame];

	if (node && v->mono)
		str_add(out, icicle_kind_tag(f->kind));
	str_add_safe(out, node ? f->name : "all");
	str_addf(out, " %.2f%%", icicle_pct(p, p->w.total[node]));
}

struct pen { const struct icicle *p; const struct icicle_view *v; struct line *lines; int *at; };

static void put_cell(struct pen *pen, struct cell c)
{
	const int row = (int)(pen->p->depth[c.node] - pen->v->top);
	const enum screen_color color = color_of(pen->p, pen->v, c.node);
	struct line *l = &pen->lines[row];
	struct str label = STR_INIT;

	c.from = MAX(c.from, pen->at[row]);
	if (c.from >= c.to)
		return;
	str_addchn(&l->text, ' ', (size_t)(c.from - pen->at[row]));
	line_mark(l, COLOR_NORMAL);
	line_add(l, color, pen->v->utf8 ? "│" : "|");
	if (c.to - c.from > 1) {
		add_label(pen->p, pen->v, c.node, &label);
		add_fitting(l, color, str_cstr(&label), c.to - c.from - 1);
	}
	pen->at[row] = c.to;
	str_release(&label);
}

void icicle_draw(const struct icicle *p, const struct icicle_view *v, struct line *lines)
{
	struct pen pen = { p, v, lines, xcalloc((size_t)v->rows + 1, sizeof(int)) };
	const u32 bottom = v->top + (u32)v->rows;
	u32 at = v->zoom;
	struct cell c;

	for (u32 i = v->top; v->cols > 0 && i < MIN(p->depth[v->zoom], bottom); i++)
		put_cell(&pen, (struct cell){ above_on(p, v->zoom, i), 0, v->cols });
	while (p->w.total[v->zoom] && next_cell(p, v, bottom - 1, &at, &c))
		if (p->depth[c.node] >= v->top && p->depth[c.node] < bottom)
			put_cell(&pen, c);
	free(pen.at);
}

void icicle_text(const struct flame_tree *t, const struct event *event, int cols, struct str *out)
{
	struct icicle_view v = { .selected = ICICLE_NONE, .cols = cols, .mono = true };
	struct icicle p;
	struct line *lines;

	icicle_init(&p, t, event);
	v.rows = (int)icicle_levels(&p, &v);
	lines = xcalloc((size_t)v.rows, sizeof(*lines));
	icicle_draw(&p, &v, lines);
	for (int i = 0; i < v.rows; i++) {
		str_add(out, str_cstr(&lines[i].text));
		while (out->len && out->buf[out->len - 1] == ' ')
			out->buf[--out->len] = '\0';
		str_addch(out, '\n');
		line_release(&lines[i]);
	}
	free(lines);
	icicle_release(&p);
}
