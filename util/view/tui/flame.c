// SPDX-License-Identifier: GPL-2.0-or-later
// The browser of call stacks: its keys. What is drawn of the tree is icicle.c.
#include "util/view/tui/flame.h"

#include "util/base/num.h"
#include "util/view/event-title.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/icicle.h"

enum { LINE_WAIT_MS = 150 };	/* no key for so long: there is time to look up a source line */

static const char help_text[] =
	"A frame is as wide as its share, its callees are below it.\n"
	"\n"
	"h/?/F1        Show this window\n"
	"UP            The caller\n"
	"DOWN          The callee with the largest share\n"
	"LEFT/RIGHT    The frame beside it; LEFT at the border: back\n"
	"PGUP/PGDN     A page of callers, callees\n"
	"HOME/END      The outermost frame; the end of the hottest path\n"
	"ENTER         Zoom: this frame gets the whole width\n"
	"ESC           Back to the last zoom, then out\n"
	"/             Mark the functions whose names contain a text\n"
	"n/N           Next, previous marked frame\n"
	"i             Invert: the innermost frames first\n"
	"TAB/UNTAB     Switch events\n"
	"Mouse         A click selects, a second one zooms; the wheel scrolls\n"
	"q             Back\n"
	"CTRL+C        Exit\n";

struct flame_browser {
	struct screen *screen;
	const struct flame_tui_opts *o;
	const struct event *event;
	struct flame_tree *plain;	/* o->tree, or a newer one */
	struct flame_tree *tree;	/* that one, or inverted */
	struct flame_tree inverted;	/* made when it is asked for */
	struct icicle p;
	struct icicle_view v;
	VEC(u32) zooms;			/* what was zoomed before */
	struct str find, said;		/* what is marked; instead of the status line */
	bool *match;			/* by frame; NULL: nothing is marked */
	u64 matched;			/* what those weigh */
	bool looked_up;			/* source line of the selected one */
	bool quit, left;
};

/* ---- drawing ---- */

static const struct flame_frame *frame_at(const struct flame_browser *b, u32 node)
{
	return node ? &b->tree->frames.v[b->tree->nodes.v[node].frame] : NULL;
}

static void draw_title(struct flame_browser *b, int cols)
{
	struct str title = STR_INIT;

	event_title_samples(&title, &(struct event_samples){ b->o->events, b->event,
			    .n = b->p.w.n_total[0], .period = b->p.w.total[0] });
	screen_put(b->screen, 0, 0, cols, str_cstr(&title), COLOR_ROOT);
	str_release(&title);
}

/* What the colours mean, and what is seen of the tree. */
static void draw_legend(struct flame_browser *b, int cols)
{
	static const struct { enum flame_kind kind; enum screen_color color; const char *name; }
	kinds[] = {
		{ FLAME_USER, COLOR_USER, "user" }, { FLAME_KERNEL, COLOR_KERNEL, "kernel" },
		{ FLAME_INLINED, COLOR_INLINED, "inlined" }, { FLAME_JIT, COLOR_JIT, "JIT" },
	};
	struct line l = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		line_addf(&l, kinds[i].color, " %s%s ", b->screen->mono ?
			  icicle_kind_tag(kinds[i].kind) : "", kinds[i].name);
		line_add(&l, COLOR_NORMAL, " ");
	}
	if (b->tree != b->plain)
		line_add(&l, COLOR_NORMAL, " inverted  ");
	if (b->match) {
		line_add(&l, COLOR_MATCH, " ");
		line_add_name(&l, COLOR_MATCH, str_cstr(&b->find));
		line_addf(&l, COLOR_MATCH, " matched: %.2f%% ", icicle_pct(&b->p, b->matched));
	}
	screen_put_line(b->screen, (struct screen_place){ 1, 0, cols }, &l, 0, N_COLORS);
	line_release(&l);
}

static void add_numbers(const struct flame_browser *b, u32 node, struct str *out)
{
	static const char *const kinds[FLAME_KIND_NR] = { [FLAME_USER] = "",
		[FLAME_KERNEL] = ", kernel", [FLAME_INLINED] = ", inlined", [FLAME_JIT] = ", JIT",
		[FLAME_UNNAMED] = ", no name" };
	const struct flame_weights *w = &b->p.w;
	const struct flame_frame *f = frame_at(b, node);
	const char *slash;

	str_addf(out, ": total %.2f%%, self %.2f%%, ", icicle_pct(&b->p, w->total[node]),
		 icicle_pct(&b->p, w->self[node]));
	str_add_grouped(out, w->n_total[node]);
	str_addf(out, " sample%s%s", w->n_total[node] == 1 ? "" : "s", f ? kinds[f->kind] : "");
	if (f && f->dso[0] && f->name[0] != '[') {
		str_add(out, ", ");
		str_add_safe(out, f->dso);
	}
	if (f && f->file) {
		str_add(out, ", ");
		slash = strrchr(f->file, '/');
		str_add_safe(out, slash ? slash + 1 : f->file);
		str_addf(out, ":%u", f->line);
	}
}

/* The name is cut where the numbers would not be seen. */
static void draw_status(struct flame_browser *b, int row, int cols)
{
	const struct flame_frame *f = frame_at(b, b->v.selected);
	struct str name = STR_INIT, numbers = STR_INIT;
	int w, room;

	str_add_safe(&name, f ? f->name : "all");
	add_numbers(b, b->v.selected, &numbers);
	w = (int)screen_text_width(str_cstr(&name), name.len);
	room = MAX(cols - (int)screen_text_width(str_cstr(&numbers), numbers.len), cols / 3);
	screen_put(b->screen, row, 0, cols, "", COLOR_ROOT);
	screen_put(b->screen, row, 0, MIN(w, room), str_cstr(&name), COLOR_ROOT);
	if (w > room && room > 2)
		screen_put(b->screen, row, room - 2, 2, "..", COLOR_ROOT);
	screen_put(b->screen, row, MIN(w, room), -1, str_cstr(&numbers), COLOR_ROOT);
	str_release(&name);
	str_release(&numbers);
}

/* The size of the screen, and what can be seen of the tree with it. */
static void settle(struct flame_browser *b)
{
	struct icicle_view *v = &b->v;
	const u32 level = b->p.depth[v->selected];
	u32 levels;
	int rows;

	screen_size(b->screen, &rows, &v->cols);
	v->rows = MAX(rows - 3, 1);
	v->utf8 = b->screen->utf8;
	v->mono = b->screen->mono;
	v->match = b->match;
	levels = MAX(icicle_levels(&b->p, v), level + 1);
	v->top = MIN(v->top, levels > (u32)v->rows ? levels - (u32)v->rows : 0);
	v->top = MIN(v->top, level);
	if (level >= v->top + (u32)v->rows)
		v->top = level - (u32)v->rows + 1;
}

static void draw(struct flame_browser *b)
{
	struct line *lines;
	int rows, cols;

	settle(b);
	screen_size(b->screen, &rows, &cols);
	lines = xcalloc((size_t)b->v.rows, sizeof(*lines));
	icicle_draw(&b->p, &b->v, lines);
	draw_title(b, cols);
	draw_legend(b, cols);
	for (int i = 0; i < b->v.rows; i++) {
		screen_put_line(b->screen, (struct screen_place){ 2 + i, 0, cols }, &lines[i], 0,
				N_COLORS);
		line_release(&lines[i]);
	}
	free(lines);
	if (b->said.len)
		screen_put(b->screen, rows - 1, 0, cols, str_cstr(&b->said), COLOR_ROOT);
	else
		draw_status(b, rows - 1, cols);
	screen_flush(b->screen);
}

static void backdrop(void *ctx) { draw(ctx); }

/* ---- moving ---- */

static void select_node(struct flame_browser *b, u32 node)
{
	if (node == ICICLE_NONE)
		return;
	b->v.selected = node;
	b->looked_up = false;
}

static void up(struct flame_browser *b)
{
	if (b->v.selected)
		select_node(b, b->tree->nodes.v[b->v.selected].parent);
}

static void down(struct flame_browser *b)
{
	const struct icicle_view *v = &b->v;
	u32 node = v->zoom;

	if (v->selected == v->zoom || !icicle_holds(&b->p, v->selected, v->zoom)) {
		select_node(b, icicle_callee(&b->p, v->selected));
		return;
	}
	while (b->tree->nodes.v[node].parent != v->selected)	/* on the way to what is zoomed */
		node = b->tree->nodes.v[node].parent;
	select_node(b, node);
}

static void down_to_end(struct flame_browser *b)
{
	u32 last;

	do {
		last = b->v.selected;
		down(b);
	} while (b->v.selected != last);
}

static void zoom_to(struct flame_browser *b, u32 node)
{
	const u32 level = b->p.depth[node], third = (u32)b->v.rows / 3;

	b->v.zoom = node;
	b->v.top = level > third ? level - third : 0;
	select_node(b, node);
}

static void zoom_in(struct flame_browser *b)
{
	if (b->v.selected == b->v.zoom)
		return;
	vec_push(&b->zooms, b->v.zoom);
	zoom_to(b, b->v.selected);
}

static bool zoom_out(struct flame_browser *b)
{
	u32 was = b->v.zoom;

	if (!b->zooms.n)
		return false;
	zoom_to(b, vec_pop(&b->zooms));
	if (icicle_holds(&b->p, b->v.zoom, was))
		select_node(b, was);
	return true;
}

static void left(struct flame_browser *b)
{
	const u32 node = icicle_beside(&b->p, &b->v, false);

	if (node != ICICLE_NONE)
		select_node(b, node);
	else
		zoom_out(b);
}

static void scroll(struct flame_browser *b, bool further)
{
	for (int i = 0; i < 3; i++)
		further ? down(b) : up(b);
}

static void page(struct flame_browser *b, bool further)
{
	for (int i = 0; i < b->v.rows; i++)
		further ? down(b) : up(b);
}

static void click(struct flame_browser *b, const struct screen_key *k)
{
	const u32 node = icicle_at(&b->p, &b->v, k->row - 2, k->col);

	if (node == b->v.selected)
		zoom_in(b);
	else
		select_node(b, node);
}

/* ---- what is marked ---- */

static void mark(struct flame_browser *b)
{
	const struct flame_tree *t = b->tree;

	free(b->match);
	b->match = NULL;
	b->matched = 0;
	if (!b->find.len)
		return;
	b->match = xcalloc(t->frames.n + 1, sizeof(*b->match));
	for (size_t i = 0; i < t->frames.n; i++)
		b->match[i] = strcasestr(t->frames.v[i].name, str_cstr(&b->find));
	/* each stack once, also where a marked function calls another */
	for (size_t i = 1; i < t->nodes.n;) {
		const bool here = b->match[t->nodes.v[i].frame];

		b->matched += here ? b->p.w.total[i] : 0;
		i = here ? b->p.end[i] : i + 1;
	}
}

static void ask_mark(struct flame_browser *b)
{
	struct str text = STR_INIT;

	str_add(&text, str_cstr(&b->find));
	if (dialog_input(b->screen, "Mark", "Mark the functions whose names contain this text "
			 "(none: no more).", &text)) {
		str_reset(&b->find);
		str_add(&b->find, str_cstr(&text));
		mark(b);
	}
	str_release(&text);
}

/* The next marked one that weighs something, in the order of the picture. */
static void find(struct flame_browser *b, bool back)
{
	const size_t n = b->tree->nodes.n;
	size_t at = b->v.selected;

	if (!b->match) {
		str_add(&b->said, "nothing is marked: / marks functions");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		at = (at + (back ? n - 1 : 1)) % n;
		if (!at || !b->p.w.total[at] || !b->match[b->tree->nodes.v[at].frame])
			continue;
		if (!icicle_holds(&b->p, b->v.zoom, (u32)at) &&
		    !icicle_holds(&b->p, (u32)at, b->v.zoom)) {
			vec_push(&b->zooms, b->v.zoom);
			b->v.zoom = 0;
		}
		select_node(b, (u32)at);
		return;
	}
	str_addf(&b->said, "no function's name contains '%s'", str_cstr(&b->find));
}

/* ---- another tree ---- */

static void show_tree(struct flame_browser *b, struct flame_tree *t, const struct event *e)
{
	icicle_release(&b->p);
	icicle_init(&b->p, t, e);
	b->tree = t;
	b->event = e;
	vec_clear(&b->zooms);
	b->v.zoom = b->v.top = 0;
	select_node(b, 0);
	mark(b);
}

static void invert(struct flame_browser *b)
{
	if (!b->inverted.nodes.n)
		flame_reverse(b->plain, &b->inverted);
	show_tree(b, b->tree == b->plain ? &b->inverted : b->plain, b->event);
}

/* Of those that have samples, which follow each other in the tracks. */
static const struct event *event_beside(const struct flame_tree *t, const struct event *e,
					bool back)
{
	const struct flame_track *l = t->tracks.v, *const end = l + t->tracks.n;
	const struct event *before = NULL, *after = NULL;

	if (!t->tracks.n)	/* live: all has faded */
		return e;
	for (; l < end && l->event != e; l++)
		before = l->event;
	for (; l < end && !after; l++)
		after = l->event != e ? l->event : NULL;
	if (back)
		return before ? before : vec_last(&t->tracks)->event;
	return after ? after : t->tracks.v[0].event;
}

static void other_event(struct flame_browser *b, bool back)
{
	const struct event *e = event_beside(b->tree, b->event, back);

	if (e == b->event)
		str_add(&b->said, "there is one event only");
	else
		show_tree(b, b->tree, e);
}

/* ---- what happens now ---- */

typedef VEC(struct flame_frame) frame_path;

/* Innermost first; texts outlive the tree. */
static void keep_path(const struct flame_browser *b, u32 node, frame_path *out)
{
	for (; node; node = b->tree->nodes.v[node].parent)
		vec_push(out, *frame_at(b, node));
}

static bool same_frame(const struct flame_frame *a, const struct flame_frame *b)
{
	return a->kind == b->kind && !strcmp(a->name, b->name) && !strcmp(a->dso, b->dso);
}

/* As far as it is still there. */
static u32 follow(const struct flame_browser *b, frame_path *path)
{
	u32 node = 0;

	for (size_t i = path->n; i-- > 0;) {
		u32 child = node + 1;

		while (child < b->p.end[node] && !same_frame(frame_at(b, child), &path->v[i]))
			child = b->p.end[child];
		if (child >= b->p.end[node])
			break;
		node = child;
	}
	vec_free(path);
	return node;
}

static void show_again(struct flame_browser *b)
{
	const bool inverted = b->tree != b->plain;
	frame_path zoom = { 0 }, selected = { 0 };
	const u32 top = b->v.top;

	keep_path(b, b->v.zoom, &zoom);
	keep_path(b, b->v.selected, &selected);
	flame_tree_release(&b->inverted);
	b->plain = b->o->again(b->o->again_ctx);
	if (inverted)
		flame_reverse(b->plain, &b->inverted);
	show_tree(b, inverted ? &b->inverted : b->plain, b->event);
	b->v.zoom = follow(b, &zoom);
	if (b->v.zoom)
		vec_push(&b->zooms, 0);
	select_node(b, follow(b, &selected));
	b->v.top = top;
}

/* ---- keys ---- */

static void leave(struct flame_browser *b)
{
	if (!zoom_out(b))
		b->left = !b->o->whole ||
			dialog_confirm(b->screen, "Do you really want to exit?");
}

static bool move(struct flame_browser *b, const struct screen_key *k)
{
	switch (k->code) {
	case KEY_UP: up(b); break;
	case KEY_DOWN: down(b); break;
	case KEY_LEFT: left(b); break;
	case KEY_RIGHT: select_node(b, icicle_beside(&b->p, &b->v, true)); break;
	case KEY_PAGE_UP: page(b, false); break;
	case KEY_PAGE_DOWN: case ' ': page(b, true); break;
	case KEY_WHEEL_UP: scroll(b, false); break;
	case KEY_WHEEL_DOWN: scroll(b, true); break;
	case KEY_HOME: select_node(b, b->v.zoom); break;
	case KEY_END: down_to_end(b); break;
	case KEY_CLICK: click(b, k); break;
	default: return false;
	}
	return true;
}

static void key(struct flame_browser *b, const struct screen_key *k)
{
	if (move(b, k))
		return;
	switch (k->code) {
	case KEY_CTRL('c'): case KEY_CLOSED: b->quit = true; break;
	case 'q': b->left = true; break;
	case KEY_ESC: case KEY_BACKSPACE: leave(b); break;
	case KEY_ENTER: zoom_in(b); break;
	case KEY_TAB: other_event(b, false); break;
	case KEY_BACK_TAB: other_event(b, true); break;
	case KEY_CTRL('z'): screen_suspend(b->screen); break;
	case '/': ask_mark(b); break;
	case 'n': find(b, false); break;
	case 'N': find(b, true); break;
	case 'i': invert(b); break;
	case 'h': case '?': case KEY_F1: dialog_text(b->screen, "Help", help_text); break;
	default: break;
	}
}

/* Debug information is read for it: not while keys come. */
static void look_up(struct flame_browser *b)
{
	if (b->v.selected)
		flame_find_line(&b->tree->frames.v[b->tree->nodes.v[b->v.selected].frame]);
	b->looked_up = true;
}

bool flame_tui(struct screen *s, const struct flame_tui_opts *o)
{
	struct flame_browser b = { .screen = s, .o = o, .plain = o->tree };

	show_tree(&b, o->tree, o->event);
	if (o->part)
		str_add(&b.said, o->part);
	while (!b.quit && !b.left) {
		struct screen_key k;

		s->backdrop = backdrop;
		s->backdrop_ctx = &b;
		draw(&b);
		k = screen_key(s, b.looked_up || o->again ? -1 : LINE_WAIT_MS);
		if (k.code == KEY_TIMEOUT) {
			if (o->again)
				show_again(&b);
			look_up(&b);
			continue;
		}
		str_reset(&b.said);
		key(&b, &k);
	}
	s->backdrop = NULL;
	icicle_release(&b.p);
	flame_tree_release(&b.inverted);
	vec_free(&b.zooms);
	str_release(&b.find);
	str_release(&b.said);
	free(b.match);
	return b.quit;
}
