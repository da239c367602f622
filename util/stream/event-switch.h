/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_EVENT_SWITCH_H
#define STREAM_EVENT_SWITCH_H
/*
 * Samples that count only between two events: a sink in front of another one, which hands on the
 * samples after one of the event "on", until one of the event "off", each time again. Without
 * "on" they count from the beginning. Other records are handed on in any case.
 */
#include "util/stream/sink.h"

struct event_switch_opts {
	const char *on, *off;		/* names of events, or NULL */
	bool show;			/* those samples themselves, too */
};

/* -ENOENT: l has no event of such a name, which is complete. */
int event_switch_check(const struct event_switch_opts *o, const struct event_list *l,
		       struct err *err);
/* o is copied, its texts and to are borrowed. NULL: o names no event, and all samples count. */
struct event_switch *event_switch_new(const struct event_switch_opts *o, struct sink *to);
struct sink *event_switch_sink(struct event_switch *s);
void event_switch_free(struct event_switch *s);		/* NULL is fine */

#endif
