// SPDX-License-Identifier: GPL-2.0-or-later
// Which tasks and waits are asked for.
#include <stdlib.h>
#include <string.h>

#include "util/analysis/why/why-priv.h"
#include "util/base/num.h"

/* Of all that is known of it: the time that it did not run. */
static u64 off_ns(const struct why *w, const struct sched_task *task)
{
	const why_segs *s = &w->tasks.v[task->index].segs;
	u64 sum = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].state != WHY_RUNS && s->v[i].state != WHY_GONE)
			sum += (i + 1 < s->n ? s->v[i + 1].from_ns : w->last_ns) -
				s->v[i].from_ns;
	return sum;
}

struct ranking { const struct why *w; u64 number; bool is_number; };

static int cmp_tasks(const void *a, const void *b, void *ctx)
{
	const struct sched_task *x = *(const struct sched_task *const *)a,
		*y = *(const struct sched_task *const *)b;
	const struct ranking *r = ctx;
	const bool tx = r->is_number && x->tid == r->number,
		ty = r->is_number && y->tid == r->number;
	u64 v, u;

	if (tx != ty)
		return tx ? -1 : 1;
	v = off_ns(r->w, x);
	u = off_ns(r->w, y);
	return v != u ? (v > u ? -1 : 1) : x->index - y->index;
}

void why_find_tasks(const struct why *w, const char *text, why_tasks *out)
{
	struct ranking r = { .w = w };

	r.is_number = parse_u64(text, &r.number);
	for vec_each(t, &w->tasks) {
		const struct sched_task *task = t->task;

		if (!task || !t->segs.n)
			continue;
		if (!strcmp(task->comm, text) ||
		    (r.is_number && (task->tid == r.number || task->pid == r.number)))
			vec_push(out, task);
	}
	if (out->n)
		qsort_r(out->v, out->n, sizeof(*out->v), cmp_tasks, &r);
}

struct why_span why_life(const struct why *w, const struct sched_task *task)
{
	const why_segs *s = &w->tasks.v[task->index].segs;
	struct why_span span = { task, w->last_ns, w->last_ns };

	if (!s->n)
		return span;
	span.from_ns = s->v[0].from_ns;
	if (vec_last(s)->state == WHY_GONE)
		span.to_ns = vec_last(s)->from_ns;
	return span;
}

/* --- the longest waits */

/* The shortest of those that are kept is the last. */
static void keep(const struct why_search *what, const struct why_span *s, why_spans *out)
{
	const u64 ns = s->to_ns - s->from_ns;
	size_t i = out->n;

	while (i && ns > out->v[i - 1].to_ns - out->v[i - 1].from_ns)
		i--;
	if (i >= what->n)
		return;
	vec_push(out, *s);
	memmove(&out->v[i + 1], &out->v[i], (out->n - 1 - i) * sizeof(*out->v));
	out->v[i] = *s;
	out->n = MIN(out->n, what->n);
}

static bool is_meant(const struct why_search *what, const struct sched_task *task)
{
	if (!what->only)
		return true;
	for vec_each(t, what->only)
		if (*t == task)
			return true;
	return false;
}

enum { KTHREADD = 2 };		/* the parent of the kernel's threads */

/* It wanted to wait that long, or it is a thread of the kernel without work. first: how it left;
 * wake: what ended it. */
static bool is_rest(const struct sched_task *task, const struct why_seg *first,
		    const struct why_seg *wake)
{
	if (first->state == WHY_READY)
		return false;
	return first->wait == WAIT_TIMER || first->wait == WAIT_WORK ||
		(wake && wake->woken && wake->how == HOW_TIMER) ||
		(first->state == WHY_SLEEPS && task->ppid == KTHREADD);
}

static void search_task(const struct why_search *what, const struct why_task *t, why_spans *out)
{
	const why_segs *s = &t->segs;
	size_t first = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct why_seg *from = &s->v[first];
		const struct why_span span = { t->task, MAX(from->from_ns, what->from_ns),
					       MIN(s->v[i].from_ns, what->to_ns) };

		if (s->v[i].state == WHY_RUNS && i > first && span.to_ns > span.from_ns &&
		    (what->all || !is_rest(t->task, from, from + 1)))
			keep(what, &span, out);
		if (s->v[i].state == WHY_RUNS || s->v[i].state == WHY_UNKNOWN ||
		    s->v[i].state == WHY_GONE)
			first = i + 1;
	}
}

void why_slowest(const struct why *w, const struct why_search *what, why_spans *out)
{
	for vec_each(t, &w->tasks)
		if (t->task && !t->task->idle && is_meant(what, t->task))
			search_task(what, t, out);
}
