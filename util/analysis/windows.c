// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/windows.h"

#include <stdlib.h>

struct at { u64 time_ns, off; };
struct mark { struct at at; int event; };
struct window { struct at from, to; };		/* with both ends */

struct switch_windows {
	struct sink sink;
	int on, off;
	bool show;
	VEC(struct mark) marks;
	VEC(struct window) windows;	/* in the order of time */
};

static void mark_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	struct switch_windows *w = s->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct event *e = items[i].sample->event;

		if (e && (e->index == w->on || e->index == w->off))
			vec_push(&w->marks, ((struct mark){ { items[i].sample->time_ns,
							      items[i].file_off }, e->index }));
	}
}

static struct sink *mark_clone(struct sink *s)
{
	const struct switch_windows *w = s->ctx;

	return switch_windows_sink(switch_windows_new(w->on, w->off, w->show));
}

static void mark_merge(struct sink *s, struct sink *other)
{
	struct switch_windows *w = s->ctx, *from = other->ctx;

	for vec_each(m, &from->marks)
		vec_push(&w->marks, *m);
	switch_windows_free(from);
}

struct switch_windows *switch_windows_new(int on, int off, bool show)
{
	struct switch_windows *w = xnew(struct switch_windows);

	w->on = on;
	w->off = off;
	w->show = show;
	w->sink = (struct sink){ .ctx = w, .samples = mark_samples, .clone = mark_clone,
				 .merge = mark_merge };
	return w;
}

void switch_windows_free(struct switch_windows *w)
{
	if (!w)
		return;
	vec_free(&w->marks);
	vec_free(&w->windows);
	free(w);
}

struct sink *switch_windows_sink(struct switch_windows *w) { return &w->sink; }

static int cmp_at(const struct at *a, const struct at *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->off < b->off ? -1 : a->off > b->off;
}

static int cmp_marks(const void *a, const void *b)
{
	return cmp_at(&((const struct mark *)a)->at, &((const struct mark *)b)->at);
}

void switch_windows_finish(struct switch_windows *w)
{
	static const struct at first, last = { UINT64_MAX, UINT64_MAX };
	bool is_on = w->on < 0;
	struct at from = first;

	if (w->marks.n)
		qsort(w->marks.v, w->marks.n, sizeof(*w->marks.v), cmp_marks);
	for vec_each(m, &w->marks) {
		struct at to = m->at;

		if (!is_on && m->event == w->on) {
			from = m->at;
			from.off += !w->show;
			is_on = true;
		} else if (is_on && m->event == w->off) {
			if (!w->show && to.off)
				to.off--;
			vec_push(&w->windows, ((struct window){ from, to }));
			is_on = false;
		}
	}
	if (is_on)
		vec_push(&w->windows, ((struct window){ from, last }));
}

bool switch_windows_has(const struct switch_windows *w, const struct sample *s, u64 file_off)
{
	const struct at at = { s->time_ns, file_off };
	size_t from = 0, to = w->windows.n;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (cmp_at(&w->windows.v[mid].from, &at) <= 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from && cmp_at(&at, &w->windows.v[from - 1].to) <= 0;
}
