// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/running.h"

#include <stdlib.h>

#include "util/machine/running.h"

struct seen { u64 time_ns; u32 tid, event; };
struct change { u64 time_ns; s32 by; };
typedef VEC(struct change) changes;
typedef VEC(u64) gaps;

struct running_guess {
	struct sink sink;
	VEC(struct seen) seen;
};

static void guess_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	const u64 needed = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	struct running_guess *g = s->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *sm = items[i].sample;

		if ((sm->present & needed) == needed && sm->tid)
			vec_push(&g->seen, ((struct seen){ sm->time_ns, sm->tid, sm->event ?
					    (u32)sm->event->index : 0 }));
	}
}

static struct sink *guess_clone(struct sink *s UNUSED)
{
	return running_guess_sink(running_guess_new());
}

static void guess_merge(struct sink *s, struct sink *other)
{
	struct running_guess *g = s->ctx, *from = other->ctx;

	for vec_each(v, &from->seen)
		vec_push(&g->seen, *v);
	running_guess_free(from);
}

struct running_guess *running_guess_new(void)
{
	struct running_guess *g = xnew(struct running_guess);

	g->sink = (struct sink){ .ctx = g, .samples = guess_samples, .clone = guess_clone,
				 .merge = guess_merge };
	return g;
}

void running_guess_free(struct running_guess *g)
{
	if (!g)
		return;
	vec_free(&g->seen);
	free(g);
}

struct sink *running_guess_sink(struct running_guess *g) { return &g->sink; }

/* By event, thread and time. */
static int cmp_seen(const void *pa, const void *pb)
{
	const struct seen *a = pa, *b = pb;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

static int cmp_gap(const void *pa, const void *pb)
{
	const u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? -1 : a > b;
}

/* Where several changes have one time, those that add come first. */
static int cmp_change(const void *pa, const void *pb)
{
	const struct change *a = pa, *b = pb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return b->by - a->by;
}

/* The sorted samples [*from, *to) of the event that has the most. */
static void most_sampled(const struct running_guess *g, size_t *from, size_t *to)
{
	*from = *to = 0;
	for (size_t i = 0, end; i < g->seen.n; i = end) {
		for (end = i; end < g->seen.n && g->seen.v[end].event == g->seen.v[i].event; end++)
			;
		if (end - i > *to - *from)
			*from = i, *to = end;
	}
}

static u64 usual_gap(const struct running_guess *g, size_t from, size_t to)
{
	gaps v = { 0 };
	u64 gap = 0;

	for (size_t i = from + 1; i < to; i++)
		if (g->seen.v[i].tid == g->seen.v[i - 1].tid)
			vec_push(&v, g->seen.v[i].time_ns - g->seen.v[i - 1].time_ns);
	if (v.n) {
		qsort(v.v, v.n, sizeof(*v.v), cmp_gap);
		gap = MAX(v.v[v.n / 2], (u64)1);
	}
	vec_free(&v);
	return gap;
}

static void add_spans(const struct running_guess *g, size_t from, size_t to, u64 gap, changes *out)
{
	const u64 half = gap / 2;

	for (size_t i = from, end; i < to; i = end) {
		const struct seen *v = g->seen.v;

		for (end = i + 1; end < to && v[end].tid == v[i].tid &&
		     v[end].time_ns - v[end - 1].time_ns <= 2 * gap; end++)
			;
		vec_push(out, ((struct change){ v[i].time_ns - MIN(half, v[i].time_ns), 1 }));
		vec_push(out, ((struct change){ v[end - 1].time_ns + half + 1, -1 }));
	}
}

u64 running_guess_apply(struct running_guess *g, struct machine *m)
{
	changes steps = { 0 };
	size_t from, to;
	u64 gap;

	if (g->seen.n)
		qsort(g->seen.v, g->seen.n, sizeof(*g->seen.v), cmp_seen);
	most_sampled(g, &from, &to);
	gap = usual_gap(g, from, to);
	add_spans(g, from, to, gap, &steps);
	if (steps.n)
		qsort(steps.v, steps.n, sizeof(*steps.v), cmp_change);
	machine_count_running(m);
	for vec_each(c, &steps)
		machine_step_running(m, c->time_ns, c->by);
	vec_free(&steps);
	return gap;
}
