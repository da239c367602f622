/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_EVENT_TITLE_H
#define VIEW_EVENT_TITLE_H
/*
 * What an event, or a group of them, is called in text. Names go through str_add_safe().
 */
#include "util/base/str.h"

struct event;
struct event_list;

/* "x", or "anon group { x, y }", or "x, y" where the recording has no such group. */
void event_title(struct str *out, const struct event_list *l, const struct event *e, bool group);
/* The same as "event 'x'" or "events 'x, y'". */
void event_title_quoted(struct str *out, const struct event_list *l, const struct event *e,
			bool group);

/* "Samples: 3K of event 'x', 4000 Hz, Event count (approx.): 106000000" */
struct event_samples {
	const struct event_list *events;
	const struct event *event;
	bool group, rate;		/* rate: with the Hz, if it has some */
	u64 n, period;			/* samples; what they stand for */
};
void event_title_samples(struct str *out, const struct event_samples *s);

#endif
