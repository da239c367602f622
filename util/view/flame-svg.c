// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/flame-draw.h"

#include "util/base/hash.h"
#include "util/base/num.h"
#include "util/view/xml.h"

enum { TOP = 64, BOTTOM = 34, SIDE = 10, MIN_TEXT = 28 };
#define DEFAULT_WIDTH 1200
#define DEFAULT_ROW 18
#define DEFAULT_MIN_PX 0.5
#define CHAR_PX 6.6		/* of 11 px monospace */

/* Style and script. A click makes a frame as wide as the drawing; one on a frame below it goes
 * back. */
static const char drawing[] = {
#include "util/view/flame-drawing.inc"
	0
};

struct svg {
	const struct flame_tree *t;
	const struct flame_look *l;
	struct flame_weights w;
	struct str *out;
	double px_per, min_px;
	int width, row, height;
	u32 *depth;
	double *x;			/* by node, px */
	const char *unit;
};

/* Warm: user space; blue: kernel; green: inlined; violet: JIT; grey: no name. Of one kind each
 * name has its own shade. */
static void add_color(struct svg *v, const struct flame_frame *f)
{
	static const struct { int hue, spread, sat, light; } of[FLAME_KIND_NR] = {
		[FLAME_USER] = { 22, 26, 88, 68 }, [FLAME_KERNEL] = { 205, 20, 62, 70 },
		[FLAME_INLINED] = { 140, 24, 42, 68 }, [FLAME_JIT] = { 280, 24, 55, 76 },
		[FLAME_UNNAMED] = { 40, 0, 6, 76 } };
	const u64 h = hash_str(f->name);

	str_addf(v->out, "hsl(%d,%d%%,%d%%)", of[f->kind].hue + (of[f->kind].spread ?
		 (int)(h % (u64)of[f->kind].spread) : 0), of[f->kind].sat,
		 of[f->kind].light + (int)(h >> 20) % 7 - 3);
}

static double pct(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void add_title(struct svg *v, u32 node)
{
	const struct flame_weights *w = &v->w;
	const struct flame_frame *f = node ? &v->t->frames.v[v->t->nodes.v[node].frame] : NULL;

	str_add(v->out, "<title>");
	xml_add(v->out, f ? f->name : "all");
	if (f && f->dso[0] && f->name[0] != '[') {
		str_add(v->out, " (");
		xml_add(v->out, f->dso);
		str_add(v->out, ")");
	}
	str_addf(v->out, ": %.2f%%, self %.2f%%, ", pct(w->total[node], w->total[0]),
		 pct(w->self[node], w->total[0]));
	str_add_grouped(v->out, w->n_total[node]);
	str_add(v->out, " samples");
	if (f && f->file) {
		str_add(v->out, ", ");
		xml_add(v->out, f->file);
		str_addf(v->out, ":%u", f->line);
	}
	str_add(v->out, "</title>");
}

static void add_text(struct svg *v, const char *name, double x, int y, double width)
{
	const size_t room = (size_t)((width - 8) / CHAR_PX);
	struct str s = STR_INIT;

	str_add_safe(&s, name);
	str_addf(v->out, "<text x=\"%.1f\" y=\"%d\">", x + 4, y + v->row * 7 / 10);
	if (s.len > room && room > 2) {
		size_t n = room - 2;

		while (n && (s.buf[n] & 0xc0) == 0x80)	/* not within a character */
			n--;
		s.len = n;
		s.buf[n] = '\0';
		str_add(&s, "..");
	}
	xml_add(v->out, str_cstr(&s));
	str_add(v->out, "</text>");
	str_release(&s);
}

static void add_frame(struct svg *v, u32 node)
{
	const struct flame_frame *f = node ? &v->t->frames.v[v->t->nodes.v[node].frame] : NULL;
	const double width = (double)v->w.total[node] * v->px_per;
	const int level = (int)v->depth[node];
	const int y = v->l->icicle ? TOP + level * v->row :
		v->height - BOTTOM - (level + 1) * v->row;

	str_add(v->out, "<g class=\"f\" data-n=\"");
	xml_add(v->out, f ? f->name : "all");
	str_add(v->out, "\">");
	add_title(v, node);
	str_addf(v->out, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" rx=\"2\" fill=\"",
		 v->x[node], y, MAX(width - 0.5, 0.1), v->row - 1);
	if (f)
		add_color(v, f);
	else
		str_add(v->out, "#e6dfd3");
	str_add(v->out, "\"/>");
	if (width >= MIN_TEXT)
		add_text(v, f ? f->name : "all", v->x[node], y, width);
	str_add(v->out, "</g>\n");
}

/* Where each node begins, and how many levels are wide enough to be drawn. */
static int place(struct svg *v)
{
	const size_t n = v->t->nodes.n;
	double *next = xcalloc(n, sizeof(*next));
	int levels = 1;

	v->x[0] = next[0] = SIDE;
	for (size_t i = 1; i < n; i++) {
		const u32 p = v->t->nodes.v[i].parent;
		const double width = (double)v->w.total[i] * v->px_per;

		v->depth[i] = v->depth[p] + 1;
		v->x[i] = next[i] = next[p];
		next[p] += width;
		if (width >= v->min_px && (int)v->depth[i] >= levels)
			levels = (int)v->depth[i] + 1;
	}
	free(next);
	return levels;
}

static void add_head(struct svg *v, const struct event *event)
{
	const char *title = v->l->title ? v->l->title : "Flame graph";

	str_add(v->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" ");
	str_addf(v->out, "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" ", v->width,
		 v->height, v->width, v->height);
	str_addf(v->out, "data-w=\"%d\" data-side=\"%d\" data-base=\"%d\" data-down=\"%d\" "
		 "tabindex=\"0\">\n<title>", v->width, SIDE, v->row * 7 / 10, v->l->icicle);
	xml_add(v->out, title);
	str_addf(v->out, "</title>\n%s<text class=\"h\" x=\"%d\" y=\"28\">", drawing, SIDE);
	xml_add(v->out, title);
	str_addf(v->out, "</text>\n<text class=\"s\" x=\"%d\" y=\"48\">", SIDE);
	if (v->l->subtitle) {
		xml_add(v->out, v->l->subtitle);
		str_add(v->out, " · ");
	}
	xml_add(v->out, event ? flame_event_name(v->t, event) : "all events");
	str_add(v->out, " · ");
	str_add_grouped(v->out, v->w.n_total[0]);
	str_add(v->out, " samples</text>\n");
}

void flame_svg(const struct flame_tree *t, const struct event *event, const struct flame_look *l,
	       struct str *out)
{
	struct svg v = { .t = t, .l = l, .out = out, .width = l->width ? l->width : DEFAULT_WIDTH,
			 .row = l->height ? l->height : DEFAULT_ROW,
			 .min_px = l->min_width >= 0 ? l->min_width : DEFAULT_MIN_PX };

	flame_weigh(t, event, &v.w);
	v.depth = xcalloc(t->nodes.n, sizeof(*v.depth));
	v.x = xcalloc(t->nodes.n, sizeof(*v.x));
	v.px_per = v.w.total[0] ? (v.width - 2 * SIDE) / (double)v.w.total[0] : 0;
	v.height = place(&v) * v.row + TOP + BOTTOM;
	add_head(&v, event);
	for (size_t i = 0; i < t->nodes.n; i++)
		if (!i || (v.w.total[i] && (double)v.w.total[i] * v.px_per >= v.min_px))
			add_frame(&v, (u32)i);
	str_addf(out, "<text class=\"s\" id=\"info\" x=\"%d\" y=\"%d\">a click zooms, Escape shows "
		 "all again</text>\n%s</svg>\n", SIDE, v.height - 12,
		 drawing + strlen(drawing) + 1);
	free(v.depth);
	free(v.x);
	flame_weights_release(&v.w);
}
