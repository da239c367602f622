// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/stitch.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"
#include "util/base/vec.h"

/* No thread is this deep; a file that says so would cost its square. */
#define MOST_FRAMES 8192

/* The last stack of a thread: its branches, the newest first, and its frames. n_joined: functions
 * at their end that came from stacks before it. */
struct last_stack {
	VEC(struct perf_branch_entry) branches;
	VEC(struct location) frames;
	u64 index;		/* of the newest branch's register */
	size_t n_joined;
};

struct stitch {
	struct sink sink, *to;
	u32 n_registers, max_frames;
	struct hmap last;		/* by thread: struct last_stack */
	VEC(struct location) joined;	/* of the sample at hand */
};

bool stitch_takes(const struct event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_BRANCH_STACK &&
		ev->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/* Its registers are known, and no more of them than there are. */
static bool is_stack(const struct stitch *c, const struct sample *s)
{
	return s->event && stitch_takes(s->event) && s->branch.n && s->branch.has_hw_idx &&
		s->branch.n <= c->n_registers && s->branch.hw_idx < c->n_registers;
}

/* Where the register of the oldest branch of s was in the last stack, with the same in it; -1: it
 * is not there. What upstream perf does not take for the same is not taken here (found by trying):
 * of a stack that begins again at the first register, if that was the newest branch before; of one
 * that does not, if the newest one before was in a lower register. */
static int find_oldest(const struct stitch *c, const struct last_stack *last,
		       const struct sample *s)
{
	const u64 hw = s->branch.hw_idx, n = s->branch.n, n_registers = c->n_registers;
	const u64 oldest = (hw + n_registers + 1 - n) % n_registers;
	const u64 at = (last->index + n_registers - oldest) % n_registers;
	const bool wrapped = hw + 1 < n;

	if ((wrapped ? at == 0 : last->index < oldest) || at >= last->branches.n ||
	    memcmp(&last->branches.v[at], &s->branch.entries[s->branch.n - 1],
		   sizeof(struct perf_branch_entry)))
		return -1;
	return (int)at;
}

/* Where the last n functions begin, each with what is inlined in it; -1: there are not so many. */
static int last_functions(const struct last_stack *last, size_t n)
{
	size_t i = last->frames.n;

	while (n && i)
		n -= !last->frames.v[--i].inline_depth;
	while (i && last->frames.v[i - 1].inline_depth)
		i--;
	return n ? -1 : (int)i;
}

/* How many functions were joined to the frames of r, which are now those of c. */
static size_t join(struct stitch *c, const struct last_stack *last, const struct sample *s,
		   struct resolved *r)
{
	const int at = find_oldest(c, last, s);
	const size_t n = at < 0 ? 0 : last->branches.n - 1 - (size_t)at + last->n_joined;
	const int from = n ? last_functions(last, n) : -1;

	if (from < 0 || r->n_frames + last->frames.n - (size_t)from > MOST_FRAMES)
		return 0;
	vec_clear(&c->joined);
	for (u32 i = 0; i < r->n_frames; i++)
		vec_push(&c->joined, r->frames[i]);
	for (size_t i = (size_t)from; i < last->frames.n; i++)
		vec_push(&c->joined, last->frames.v[i]);
	r->frames = c->joined.v;
	r->n_frames = (u32)c->joined.n;
	return n;
}

static void keep(struct last_stack *last, const struct sample *s, const struct resolved *r,
		 size_t n_joined)
{
	vec_clear(&last->branches);
	for (u64 i = 0; i < s->branch.n; i++)
		vec_push(&last->branches, s->branch.entries[i]);
	vec_clear(&last->frames);
	for (u32 i = 0; i < r->n_frames; i++)
		vec_push(&last->frames, r->frames[i]);
	last->index = s->branch.hw_idx;
	last->n_joined = n_joined;
}

static void take_sample(struct stitch *c, const struct sink_item *item)
{
	struct resolved r = *item->res;
	const struct sink_item out = { item->sample, &r, item->file_off, item->rec };
	struct last_stack *last = hmap_get(&c->last, (uintptr_t)r.thread);

	if (is_stack(c, item->sample) && r.thread) {
		if (!last) {
			last = xnew(struct last_stack);
			hmap_put(&c->last, (uintptr_t)r.thread, last);
		}
		keep(last, item->sample, &r, join(c, last, item->sample, &r));
	}
	if (c->max_frames)
		r.n_frames = MIN(r.n_frames, c->max_frames);
	c->to->samples(c->to, &out, 1);
}

static void take_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct stitch *c = sink->ctx;

	for (size_t i = 0; i < n && !c->to->stop; i++)
		take_sample(c, &items[i]);
	sink->stop = c->to->stop;
}

static void take_record(struct sink *sink, const struct perf_event_header *rec,
			const struct sample_id *id, u64 file_off)
{
	struct stitch *c = sink->ctx;

	c->to->record(c->to, rec, id, file_off);
	sink->stop = c->to->stop;
}

static bool takes(const struct sink *sink, const struct event *ev)
{
	const struct stitch *c = sink->ctx;

	return c->to->takes(c->to, ev);
}

static void take_events(struct sink *sink)
{
	struct stitch *c = sink->ctx;

	c->to->events(c->to);
	sink->wants |= c->to->wants & ~(unsigned)SINK_BATCHES;
}

struct stitch *stitch_new(struct sink *to, u32 n_registers, u32 max_frames)
{
	struct stitch *c = xnew(struct stitch);

	c->to = to;
	c->n_registers = n_registers;
	c->max_frames = max_frames;
	c->sink = (struct sink){
		.ctx = c, .samples = to->samples ? take_samples : NULL,
		.record = to->record ? take_record : NULL,
		.takes = to->takes ? takes : NULL, .events = to->events ? take_events : NULL,
		.wants = (to->wants | SINK_ORDER) & ~(unsigned)SINK_BATCHES,
	};
	return c;
}

struct sink *stitch_sink(struct stitch *c) { return &c->sink; }

void stitch_free(struct stitch *c)
{
	if (!c)
		return;
	for hmap_each(i, &c->last) {
		struct last_stack *last = c->last.vals[i];

		vec_free(&last->branches);
		vec_free(&last->frames);
		free(last);
	}
	hmap_release(&c->last);
	vec_free(&c->joined);
	free(c);
}
