/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_SWITCH_EVENT_H
#define RECORD_SWITCH_EVENT_H
/*
 * Events that are not recorded: when one of them happens, a new file is begun
 * (--switch-output-event). CPUs that come later are not watched for them. One owner.
 */
#include "util/event/event.h"
#include "util/os/wait-set.h"

struct switch_event;

/* Opens parsed events as p says; each one is seen, unless a term says how often. The list is
 * borrowed, and closed again by switch_event_free(). */
int switch_event_new(struct switch_event **out, struct event_list *l, const struct open_policy *p,
		     struct os *os, struct err *err);
void switch_event_free(struct switch_event *e);		/* NULL: nothing */
/* Those that no exec of the workload enables. */
int switch_event_enable(struct switch_event *e, struct err *err);
/* Adds what is to be waited for. */
void switch_event_wait(struct switch_event *e, struct waiter *w);
/* After a wait: one has happened since the last one. Many at once count as one. */
bool switch_event_came(struct switch_event *e, struct waiter *w);

#endif
