// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/tui/annotate-symbols.h"

#include "util/view/event-title.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/list.h"

static const char help_text[] =
	"UP/DOWN/PGUP\n"
	"PGDN/SPACE    Navigate\n"
	"q/ESC/CTRL+C  Exit\n"
	"\n"
	"ENTER/->/a    Show the code of the function\n"
	"TAB/UNTAB     Switch events\n"
	"/             Find a text\n"
	"n/N           Find it again: next, previous\n"
	"</>           Move the columns\n";

struct symbols_browser {
	struct screen *screen;
	const struct annotate_symbols_opts *o;
	VEC(const struct event *) events;	/* those that are shown */
	size_t at;				/* in events */
	annotate_symbols shown;			/* of that event */
	struct annotate_members m;		/* the event, and those beside it */
	size_t dso_width;
	struct list list;
	struct str find, said;
};

static const struct event *event_of(const struct symbols_browser *b) { return b->events.v[b->at]; }

static bool is_group(const struct symbols_browser *b)
{
	return b->o->code.group && event_of(b)->n_members > 1;
}

static const char *dso_name(const struct annotate_symbol *s)
{
	return s->dso->short_name ? s->dso->short_name : s->dso->path;
}

static double share(const struct symbols_browser *b, const struct annotate_symbol *s, size_t event)
{
	return annotate_pct(ANNOTATE_GLOBAL_PERIOD, annotate_symbol_total(s, b->m.events.v[event]),
			    (struct annotate_sum){ 0 }, b->m.event_totals.v[event]);
}

/* ---- rows ---- */

static size_t n_rows(void *ctx) { return ((struct symbols_browser *)ctx)->shown.n; }

static void draw_row(void *ctx, struct list_pos at, struct line *out)
{
	struct symbols_browser *b = ctx;
	const struct annotate_symbol *s = b->shown.v[at.row];
	size_t before;

	for (size_t e = 0; e < b->m.events.n; e++) {
		const double pct = share(b, s, e);

		line_addf(out, screen_pct_color(pct), "%7.2f%%", pct);
	}
	line_add(out, COLOR_NORMAL, "  ");
	before = out->text.len;
	line_add_name(out, COLOR_NORMAL, dso_name(s));
	before = screen_text_width(str_cstr(&out->text) + before, out->text.len - before);
	str_addchn(&out->text, ' ', b->dso_width - MIN(before, b->dso_width) + 2);
	line_mark(out, COLOR_NORMAL);
	line_add_name(out, COLOR_NORMAL, s->sym->name);
}

static const struct list_lines symbol_lines = { n_rows, NULL, draw_row };

static void leave_event(struct symbols_browser *b)
{
	vec_free(&b->shown);
	annotate_members_release(&b->m);
	b->m = (struct annotate_members){ 0 };
}

static void measure(struct symbols_browser *b)
{
	struct line l = { 0 };

	b->dso_width = strlen("Shared Object");
	for vec_each(s, &b->shown) {
		line_reset(&l);
		line_add_name(&l, COLOR_NORMAL, dso_name(*s));
		b->dso_width = MAX(b->dso_width, screen_text_width(str_cstr(&l.text), l.text.len));
	}
	line_release(&l);
}

static void enter_event(struct symbols_browser *b, size_t at)
{
	annotate_symbols all = { 0 };

	leave_event(b);
	b->at = at;
	annotate_members_find(&b->m, b->o->code.counts, b->o->code.events, event_of(b),
			      is_group(b));
	annotate_order(b->o->code.counts, b->m.events.v, b->m.events.n, &all);
	for vec_each(s, &all)
		if (share(b, *s, 0) >= b->o->min_pct)
			vec_push(&b->shown, *s);
	vec_free(&all);
	measure(b);
	list_go(&b->list, (struct list_pos){ 0 });
}

/* Of a group its first event stands for all. */
static void choose_events(struct symbols_browser *b)
{
	const struct event_list *l = b->o->code.events;

	for vec_each(p, &l->events) {
		const struct event *e = *p;
		struct annotate_members m = { 0 };
		annotate_symbols any = { 0 };

		if (e->dummy || (b->o->code.group && e->leader != e))
			continue;
		annotate_members_find(&m, b->o->code.counts, l, e,
				      b->o->code.group && e->n_members > 1);
		annotate_order(b->o->code.counts, m.events.v, m.events.n, &any);
		if (any.n)
			vec_push(&b->events, e);
		vec_free(&any);
		annotate_members_release(&m);
	}
}

/* ---- drawing ---- */

static void add_title(const struct symbols_browser *b, struct str *out)
{
	const struct annotate_sum sum = annotate_sum_of(b->m.event_totals.v, b->m.event_totals.n);
	const struct event_samples s = { b->o->code.events, event_of(b), .group = is_group(b),
					 .n = sum.n, .period = sum.period };

	event_title_samples(out, &s);
}

static void draw(void *ctx)
{
	struct symbols_browser *b = ctx;
	struct str title = STR_INIT;
	struct line heads = { 0 };
	struct list_frame f = { .heads = &heads };

	add_title(b, &title);
	line_addf(&heads, COLOR_ROOT, "%*s  %-*s  Symbol", (int)(8 * b->m.events.n), "Percent",
		  (int)b->dso_width, "Shared Object");
	f.title = str_cstr(&title);
	f.help = b->said.len ? str_cstr(&b->said) : b->o->part ? b->o->part :
		"ENTER: show the code, h: help on key bindings";
	list_draw(&b->list, &f);
	line_release(&heads);
	str_release(&title);
}

/* ---- keys ---- */

/* true: the user quits */
static bool open_row(struct symbols_browser *b)
{
	struct annotate_tui_opts o = b->o->code;

	if (!b->shown.n)
		return false;
	o.event = event_of(b);
	o.group = is_group(b);
	return annotate_tui(b->screen, &o, b->shown.v[b->list.cursor.row], &b->said) ==
		ANNOTATE_TUI_QUIT;
}

static void find(struct symbols_browser *b, bool up, bool ask)
{
	const size_t n = b->shown.n;
	size_t row = b->list.cursor.row;

	if ((ask || !b->find.len) &&
	    (!dialog_input(b->screen, "Search", "String:", &b->find) || !b->find.len))
		return;
	for (size_t i = 0; i < n; i++) {
		const char *text = str_cstr(&b->find);

		row = up ? (row ? row : n) - 1 : row + 1 < n ? row + 1 : 0;
		if (!strstr(b->shown.v[row]->sym->name, text) &&
		    !strstr(dso_name(b->shown.v[row]), text))
			continue;
		list_go(&b->list, (struct list_pos){ row, 0 });
		return;
	}
	str_add(&b->said, "not found: '");
	str_add_safe(&b->said, str_cstr(&b->find));
	str_add(&b->said, "'");
}

static void next_event(struct symbols_browser *b, bool back)
{
	const size_t n = b->events.n;

	if (n > 1)
		enter_event(b, (b->at + (back ? n - 1 : 1)) % n);
}

/* true: the user quits */
static bool key(struct symbols_browser *b, u32 code)
{
	switch (code) {
	case 'q': case KEY_ESC: case KEY_LEFT: case KEY_CTRL('c'): case KEY_CLOSED: return true;
	case KEY_ENTER: case KEY_RIGHT: case KEY_CLICK: case 'a': return open_row(b);
	case KEY_TAB: next_event(b, false); break;
	case KEY_BACK_TAB: next_event(b, true); break;
	case '/': find(b, false, true); break;
	case 'n': find(b, false, false); break;
	case 'N': find(b, true, false); break;
	case 'h': case '?': case KEY_F1: dialog_text(b->screen, "Help", help_text); break;
	case KEY_CTRL('z'): screen_suspend(b->screen); break;
	default: break;
	}
	return false;
}

static void browse(struct symbols_browser *b)
{
	bool quit = false;

	enter_event(b, 0);
	if (b->o->one && b->shown.n == 1)
		quit = open_row(b) || !b->said.len;	/* back from it is out */
	while (!quit) {
		struct screen_key k;

		b->screen->backdrop = draw;
		b->screen->backdrop_ctx = b;
		draw(b);
		k = screen_key(b->screen, -1);
		str_reset(&b->said);
		quit = !list_key(&b->list, &k) && key(b, k.code);
	}
	b->screen->backdrop = NULL;
}

void annotate_tui_symbols(struct screen *s, const struct annotate_symbols_opts *o)
{
	struct symbols_browser b = { .screen = s, .o = o };

	list_init(&b.list, s, &symbol_lines, &b);
	choose_events(&b);
	if (b.events.n)
		browse(&b);
	leave_event(&b);
	vec_free(&b.events);
	str_release(&b.find);
	str_release(&b.said);
}
