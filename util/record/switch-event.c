// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/switch-event.h"

#include <stdlib.h>

#include "util/record/rings.h"

#define RING_PAGES 1	/* a record is enough: all of them are dropped at each wait */

struct switch_event {
	struct event_list *list;
	struct rings rings;
	struct open_report opened;
	size_t first_place;	/* in what is waited for */
};

/* They are reported one by one, unless a term says how often. */
static void configure(struct event_list *l)
{
	for vec_each(p, &l->events) {
		struct event *e = *p;
		struct perf_event_attr *a = &e->attr;

		a->sample_type |= PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
		a->read_format = PERF_FORMAT_ID;
		a->watermark = 0;
		a->wakeup_events = 1;
		a->freq = 0;
		if (e->terms.set & EVENT_TERM_FREQ) {
			a->freq = 1;
			a->sample_freq = e->terms.freq;
		} else {
			a->sample_period = e->terms.set & EVENT_TERM_PERIOD ? e->terms.period : 1;
		}
	}
}

int switch_event_new(struct switch_event **out, struct event_list *l, const struct open_policy *p,
		     struct os *os, struct err *err)
{
	struct switch_event *e = xnew(struct switch_event);
	int ret;

	*out = e;
	e->list = l;
	configure(l);
	ret = event_list_open(l, p, os, &e->opened, err);
	if (!ret)
		ret = rings_map(&e->rings, l, os, RING_PAGES, 0, err);
	return ret ? err_prefix(err, "--switch-output-event") : 0;
}

void switch_event_free(struct switch_event *e)
{
	if (!e)
		return;
	rings_release(&e->rings);
	event_list_close(e->list);
	open_report_release(&e->opened);
	free(e);
}

int switch_event_enable(struct switch_event *e, struct err *err)
{
	const int ret = event_list_enable_rest(e->list);

	return ret ? err_sys(err, -ret, "cannot enable the events of --switch-output-event") : 0;
}

void switch_event_wait(struct switch_event *e, struct waiter *w)
{
	e->first_place = w->fds.n;
	for vec_each(slot, &e->rings.slots)
		waiter_add(w, rings_polled_fd(slot));
}

bool switch_event_came(struct switch_event *e, struct waiter *w)
{
	bool came = false;

	for (size_t i = 0; i < e->rings.slots.n; i++) {
		struct rings_slot *slot = &e->rings.slots.v[i];
		const u64 head = rings_head(slot);

		came |= head != slot->ring.tail;
		rings_free_to(slot, head);
		rings_follow_threads(slot, w, e->first_place + i);
	}
	return came;
}
