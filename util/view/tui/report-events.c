// SPDX-License-Identifier: GPL-2.0-or-later
// The events of a recording, of which the browser shows one at a time.
#include "util/view/event-title.h"
#include "util/view/report-text.h"
#include "util/view/text.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/report-priv.h"

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
		if (k.code == KEY_TIMEOUT && m->o->live.refresh)
			m->o->live.refresh(m->o->live.ctx);
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

/* Of what happens now those that have no samples yet are shown, too. */
static bool is_shown(const struct report_tui_opts *o, const struct event *e)
{
	if (!o->live.refresh)
		return report_event_shown(o->hist, o->events, e, o->group);
	return !e->dummy && (!o->group || e->leader == e);
}

void report_tui(struct screen *s, const struct report_tui_opts *o)
{
	struct event_menu m = { .o = o };
	const struct event *e = NULL;

	for vec_each(it, &o->events->events)
		if (is_shown(o, *it))
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
