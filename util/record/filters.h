/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_FILTERS_H
#define RECORD_FILTERS_H
/*
 * The filters of samples (event/sample-filter.h) of opened events: given to the program in the
 * kernel (bpf/filterprog.h), and how many samples it has dropped. One owner.
 */
#include "util/event/event.h"

struct filters;

/* The events that have one keep all others' samples out from here on; they are open and not on yet.
 * *out is NULL where no event has one. */
int filters_new(struct filters **out, const struct event_list *list, const struct os *os,
		struct err *err);
void filters_free(struct filters *f);			/* NULL is fine */
/* What was opened since gets them, too. f NULL: nothing. */
int filters_attach(struct filters *f, struct err *err);
/* Samples of the event that were dropped since the last call; 0 for f NULL. */
u64 filters_take_dropped(struct filters *f, const struct event *e);

#endif
