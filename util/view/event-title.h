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

#endif
