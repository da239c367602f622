// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "util/analysis/why/why-priv.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"

static void flags_init(void *ctx UNUSED, const struct event *e, void *state)
{
	*(const struct tp_field **)state = e->format ? tp_field(e->format, "common_flags") : NULL;
}

struct why *why_new(struct sched *s, const struct why_opts *opts)
{
	struct why *w = xnew(struct why);

	w->sched = s;
	w->opts = *opts;
	w->names = intern_new();
	w->first_ns = UINT64_MAX;
	per_event_init(&w->flags, sizeof(struct tp_field *), flags_init, w);
	why_observe(w);
	why_others_init(w);
	return w;
}

void why_free(struct why *w)
{
	if (!w)
		return;
	for vec_each(t, &w->tasks)
		vec_free(&t->segs);
	for vec_each(c, &w->cpus) {
		vec_free(&c->slots);
		vec_free(&c->handlers);
		vec_free(&c->done);
	}
	why_others_release(w);
	per_event_release(&w->flags);
	vec_free(&w->tasks);
	vec_free(&w->cpus);
	vec_free(&w->lost);
	hmap_release(&w->kinds);
	hmap_release(&w->hows);
	intern_free(w->names);
	free(w);
}

struct sink *why_sink(struct why *w) { return &w->sink; }

void why_close(struct why *w)
{
	const struct sched_stats *st = sched_get_stats(w->sched);

	w->last_ns = st->last_ns;
	w->first_ns = MIN(w->first_ns, st->last_ns);
}
