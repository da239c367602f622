// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/ref-chains.h"

#include <stdlib.h>

#include "include/abi/perf_event.h"
#include "util/base/hash.h"
#include "util/base/vec.h"

struct chain { VEC(struct location) frames; };

struct ref_chains {
	struct sink sink, *to;
	struct hmap last;		/* by thread: struct chain */
};

static bool has_chains(const struct sample *s)
{
	return s->event && s->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

static void keep(struct ref_chains *c, const struct resolved *r)
{
	struct chain *last = hmap_get(&c->last, (uintptr_t)r->thread);

	if (!last) {
		last = xnew(struct chain);
		hmap_put(&c->last, (uintptr_t)r->thread, last);
	}
	vec_clear(&last->frames);
	for (u32 i = 0; i < r->n_frames; i++)
		vec_push(&last->frames, r->frames[i]);
}

static void take_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct ref_chains *c = sink->ctx;

	for (size_t i = 0; i < n && !c->to->stop; i++) {
		struct resolved r = *items[i].res;
		struct sink_item item = items[i];
		const struct chain *last;

		if (has_chains(item.sample)) {
			keep(c, &r);
		} else if ((last = hmap_get(&c->last, (uintptr_t)r.thread)) != NULL) {
			r.frames = last->frames.v;
			r.n_frames = (u32)last->frames.n;
			item.res = &r;
		}
		c->to->samples(c->to, &item, 1);
	}
	sink->stop = c->to->stop;
}

struct ref_chains *ref_chains_new(struct sink *to)
{
	struct ref_chains *c = xnew(struct ref_chains);

	c->to = to;
	c->sink = (struct sink){ .ctx = c, .samples = take_samples,
				 .wants = (to->wants | SINK_ORDER | SINK_CHAIN) &
					  ~(unsigned)SINK_BATCHES };
	return c;
}

struct sink *ref_chains_sink(struct ref_chains *c) { return &c->sink; }

void ref_chains_free(struct ref_chains *c)
{
	if (!c)
		return;
	for hmap_each(i, &c->last) {
		struct chain *chain = c->last.vals[i];

		vec_free(&chain->frames);
		free(chain);
	}
	hmap_release(&c->last);
	free(c);
}
