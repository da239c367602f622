// SPDX-License-Identifier: GPL-2.0-or-later
// The menu of what can be done with the row at the cursor, and the list of events.
#include "util/base/str.h"
#include "util/view/event-title.h"
#include "util/view/report-text.h"
#include "util/view/text.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/report-priv.h"

struct menu {
	VEC(char *) items;
	VEC(char) keys;		/* what an item does */
};

static void add_item(struct menu *m, char key, struct str *text)
{
	vec_push(&m->items, xstrdup(str_cstr(text)));
	vec_push(&m->keys, key);
	str_reset(text);
}

static void add_zoom(struct report_browser *b, struct menu *m, char what, const char *kind,
		     const char *hint)
{
	struct str name = STR_INIT, text = STR_INIT;
	bool out;

	if (report_zoom_name(b, what, &name, &out)) {
		str_addf(&text, "Zoom %s %s %s%s", out ? "out of" : "into", str_cstr(&name), kind,
			 hint);
		add_item(m, what, &text);
	}
	str_release(&name);
	str_release(&text);
}

static void add_expand(struct report_browser *b, struct menu *m)
{
	const struct list_pos at = b->list.cursor;
	const struct row_state *s = b->signs ? report_row_state(b, at.row) : NULL;
	struct str text = STR_INIT;
	bool open;

	if (!s || !s->lines.v.n)
		return;
	if (at.sub && s->lines.v.v[at.sub - 1].sign == ' ')
		return;
	open = at.sub ? s->lines.v.v[at.sub - 1].sign == '-' : s->open;
	str_addf(&text, "%s [", open ? "Collapse" : "Expand");
	report_name_here(b, &text);
	str_add(&text, "] callchain (one level, same as '+' hotkey, use 'e'/'c' for the whole main "
		       "level entry)");
	add_item(m, '+', &text);
	str_release(&text);
}

char report_menu(struct report_browser *b)
{
	struct menu m = { 0 };
	struct str text = STR_INIT;
	char key = 0;
	int i;

	if (b->shown.n && b->o->calls.annotate && report_symbol_here(b)) {
		str_add(&text, "Annotate ");
		report_name_here(b, &text);
		add_item(&m, 'a', &text);
	}
	if (b->shown.n) {
		add_zoom(b, &m, 't', "thread", "");
		add_zoom(b, &m, 'd', "DSO", " (use the 'k' hotkey to zoom directly into the "
			 "kernel)");
		add_zoom(b, &m, 'S', "Processor Socket", "");
		add_expand(b, &m);
	}
	str_add(&text, "Exit");
	add_item(&m, 'q', &text);
	i = dialog_menu(b->screen, NULL, (const char *const *)m.items.v, m.items.n);
	if (i >= 0)
		key = m.keys.v[i];
	for vec_each(it, &m.items)
		free(*it);
	vec_free(&m.items);
	vec_free(&m.keys);
	str_release(&text);
	return key;
}

/* ---- events ---- */

struct event_menu { const struct report_tui_opts *o; VEC(const struct event *) v; };

static size_t n_events(void *ctx) { return ((struct event_menu *)ctx)->v.n; }

static void draw_event(void *ctx, struct list_pos at, struct line *out)
{
	const struct event_menu *m = ctx;
	const struct event *e = m->v.v[at.row];
	const bool group = m->o->group && e->n_members > 1;

	text_count_unit(&out->text, report_event_total(m->o->hist, m->o->events, e, m->o->relative,
						       group).n);
	if (out->text.len && out->text.buf[out->text.len - 1] != ' ')
		str_addch(&out->text, ' ');
	event_title(&out->text, m->o->events, e, group);
	line_mark(out, COLOR_NORMAL);
}

static const struct list_lines event_lines = { n_events, NULL, draw_event };
static const struct list_frame event_frame = {
	.title = "Available samples", .help = "ESC: exit, ENTER|->: Browse histograms",
};

/* NULL: none. */
static const struct event *ask_event(struct screen *s, struct event_menu *m,
				     const struct event *at)
{
	struct list l;

	list_init(&l, s, &event_lines, m);
	for (size_t i = 0; i < m->v.n; i++)
		if (m->v.v[i] == at)
			l.cursor.row = i;
	for (;;) {
		struct screen_key k;

		list_draw(&l, &event_frame);
		k = screen_key(s, -1);
		if (k.code == KEY_CLICK && list_key(&l, &k))
			continue;
		switch (k.code) {
		case KEY_ENTER: case KEY_RIGHT: case KEY_CLICK: return m->v.v[l.cursor.row];
		case 'q': case KEY_CTRL('c'): case KEY_CLOSED: return NULL;
		case KEY_CTRL('z'): screen_suspend(s); break;
		case KEY_ESC:
			if (dialog_confirm(s, "Do you really want to exit?"))
				return NULL;
			break;
		default: list_key(&l, &k); break;
		}
	}
}

static size_t number_of(const struct event_menu *m, const struct event *e)
{
	for (size_t i = 0; i < m->v.n; i++)
		if (m->v.v[i] == e)
			return i;
	return 0;
}

void report_tui(struct screen *s, const struct report_tui_opts *o)
{
	struct event_menu m = { .o = o };
	const struct event *e = NULL;

	for vec_each(it, &o->events->events)
		if (report_event_shown(o->hist, o->events, *it, o->group))
			vec_push(&m.v, *it);
	if (m.v.n)
		e = m.v.n > 1 ? ask_event(s, &m, m.v.v[0]) : m.v.v[0];
	while (e) {
		const size_t i = number_of(&m, e);

		switch (report_browse_event(s, o, e, m.v.n > 1)) {
		case REPORT_NEXT_EVENT: e = m.v.v[(i + 1) % m.v.n]; break;
		case REPORT_PREVIOUS_EVENT: e = m.v.v[(i + m.v.n - 1) % m.v.n]; break;
		case REPORT_TO_EVENTS: e = ask_event(s, &m, e); break;
		default: e = NULL; break;
		}
	}
	vec_free(&m.v);
}
