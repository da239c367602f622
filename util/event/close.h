/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_CLOSE_H
#define EVENT_CLOSE_H
/*
 * The counters of one event of an open list are closed: for who has handed them on.
 */
#include "util/event/event.h"

void event_close(struct event *e);

#endif
