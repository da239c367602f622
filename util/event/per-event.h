/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_PER_EVENT_H
#define EVENT_PER_EVENT_H
/*
 * What a consumer keeps for each event of a list. While a stream is read events may come at any
 * time, and so may their names and formats: the table grows when it is asked, and what was made
 * from an older version of the event is made again. Index it by nothing but this.
 *
 *	// init may be NULL: zeroed memory is enough
 *	per_event_init(&t, sizeof(struct mine), init, ctx);
 *	// valid until the next call for an event not seen before
 *	struct mine *m = per_event(&t, sample->event);
 *	per_event_release(&t);
 *
 * One thread; or several, after per_event_fill() over a list that does not change any more.
 */
#include "util/event/event.h"

struct per_event {
	size_t bytes, n;
	char *v;
	/* by index: the version of the event that init saw, plus 1; 0: none */
	u64 *seen;
	/* state: zeroed, or of an older version */
	void (*init)(void *ctx, const struct event *e, void *state);
	void *ctx;
};

void per_event_init(struct per_event *t, size_t bytes,
		    void (*init)(void *ctx, const struct event *e, void *state), void *ctx);
void per_event_release(struct per_event *t);
void per_event_fill(struct per_event *t, const struct event_list *l);
void *per_event_renew_(struct per_event *t, const struct event *e);

static inline void *per_event(struct per_event *t, const struct event *e)
{
	size_t i = (size_t)e->index;

	return i < t->n && t->seen[i] == e->version + 1ULL ? t->v + i * t->bytes :
		per_event_renew_(t, e);
}

/* NULL: nobody asked for this event yet. */
static inline void *per_event_peek(const struct per_event *t, const struct event *e)
{
	size_t i = (size_t)e->index;

	return i < t->n && t->seen[i] ? t->v + i * t->bytes : NULL;
}

/* The states that were made, by index; NULL: none of that index. */
static inline void *per_event_at(const struct per_event *t, size_t i)
{
	return i < t->n && t->seen[i] ? t->v + i * t->bytes : NULL;
}

/* Of two consumers of the same list (clones of a sink). */
void per_event_merge(struct per_event *to, const struct per_event *from,
		     void (*add)(void *to, const void *from));

#endif
