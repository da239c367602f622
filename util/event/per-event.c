// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/per-event.h"

#include <stdlib.h>

void per_event_init(struct per_event *t, size_t bytes,
		    void (*init)(void *ctx, const struct event *e, void *state), void *ctx)
{
	*t = (struct per_event){ .bytes = bytes, .init = init, .ctx = ctx };
}

void per_event_release(struct per_event *t)
{
	free(t->v);
	free(t->seen);
	t->v = NULL;
	t->seen = NULL;
	t->n = 0;
}

static void grow(struct per_event *t, size_t need)
{
	size_t n = MAX(need, t->n + t->n / 2 + 4);

	t->v = xreallocarray(t->v, n, t->bytes);
	t->seen = xreallocarray(t->seen, n, sizeof(*t->seen));
	memset(t->v + t->n * t->bytes, 0, (n - t->n) * t->bytes);
	memset(t->seen + t->n, 0, (n - t->n) * sizeof(*t->seen));
	t->n = n;
}

void *per_event_renew_(struct per_event *t, const struct event *e)
{
	size_t i = (size_t)e->index;

	if (i >= t->n)
		grow(t, i + 1);
	t->seen[i] = e->version + 1ULL;
	if (t->init)
		t->init(t->ctx, e, t->v + i * t->bytes);
	return t->v + i * t->bytes;
}

void per_event_fill(struct per_event *t, const struct event_list *l)
{
	if (l->events.n > t->n)
		grow(t, l->events.n);
	for vec_each(e, &l->events)
		per_event(t, *e);
}

void per_event_merge(struct per_event *to, const struct per_event *from,
		     void (*add)(void *to, const void *from))
{
	if (from->n > to->n)
		grow(to, from->n);
	for (size_t i = 0; i < from->n; i++) {
		if (!from->seen[i])
			continue;
		to->seen[i] = MAX(to->seen[i], from->seen[i]);
		add(to->v + i * to->bytes, from->v + i * from->bytes);
	}
}
