// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/event-title.h"

#include "util/analysis/hist/hist.h"
#include "util/view/text.h"

static void add_members(struct str *out, const struct event_list *l, const struct event *e)
{
	bool first = true;

	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *m = l->events.v[i];

		if (m->leader != e)
			continue;
		if (!first)
			str_add(out, ", ");
		first = false;
		str_add_safe(out, m->name);
	}
}

void event_title(struct str *out, const struct event_list *l, const struct event *e, bool group)
{
	if (!group || e->n_members < 2) {
		str_add_safe(out, e->name);
		return;
	}
	if (!l->grouped_to_show) {
		str_add_safe(out, e->group_name ? e->group_name : "anon group");
		str_add(out, " { ");
	}
	add_members(out, l, e);
	if (!l->grouped_to_show)
		str_add(out, " }");
}

void event_title_quoted(struct str *out, const struct event_list *l, const struct event *e,
			bool group)
{
	str_add(out, group && e->n_members > 1 ? "events '" : "event '");
	event_title(out, l, e, group);
	str_add(out, "'");
}

void event_title_samples(struct str *out, const struct event_samples *s)
{
	str_add(out, "Samples: ");
	text_count_unit(out, s->n);
	str_add(out, " of ");
	event_title_quoted(out, s->events, s->event, s->group);
	if (s->rate && s->event->attr.freq)
		str_addf(out, ", %llu Hz", (unsigned long long)s->event->attr.sample_freq);
	str_addf(out, ", Event count (approx.): %llu", (unsigned long long)s->period);
}
