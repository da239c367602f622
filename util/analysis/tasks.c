// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/tasks.h"

#include <string.h>

#include "util/base/hash.h"


static int cmp_tid(const void *pa, const void *pb)
{
	const struct thread *a = *(struct thread *const *)pa, *b = *(struct thread *const *)pb;

	return a->tid != b->tid ? (a->tid < b->tid ? -1 : 1) : a->index - b->index;
}

/* A thread hangs below its process's leader, a leader below its parent. */
static s64 parent_tid(const struct thread *t)
{
	if (!t->tid)
		return -1;
	if (t->pid != t->tid)
		return t->pid;
	/* 0 is what tasks have whose FORK was not recorded; only the first two have it for their
	 * parent */
	return t->ppid == t->pid || (!t->ppid && t->pid > 2) ? -1 : (s64)t->ppid;
}

struct tree { struct thread **v; size_t n; s64 *parent; u32 *first, *next; };

static const char *comm_of(const struct thread *t)
{
	const struct comm *c = thread_comm_at(t, UINT64_MAX);

	return c ? c->name : "";
}

/* A task that was found in /proc and then heard of again, or that forgot its past: once is
 * enough. */
static bool is_repeated(const struct tree *t, u32 i)
{
	const struct thread *a = t->v[i - 1], *b = i < t->n ? t->v[i] : NULL;

	return b && a->tid == b->tid && a->pid == b->pid && !strcmp(comm_of(a), comm_of(b));
}

static void add_below(const struct tree *t, u32 i, u32 depth, task_vec *out)
{
	for (; i; i = t->next[i]) {
		const struct thread *th = t->v[i - 1];

		if (!is_repeated(t, i))
			vec_push(out, ((struct task){ th, t->parent[i], comm_of(th), depth }));
		/* damaged files may have circles of parents: those tasks hang below nobody and
		 * are not reached twice */
		add_below(t, t->first[i], depth + 1, out);
	}
}

void tasks_collect(const struct machine *m, task_vec *out)
{
	struct thread *const *all;
	struct tree t = { .n = machine_threads(m, &all) };
	struct hmap by_tid = { 0 };

	t.v = xcalloc(t.n + 1, sizeof(*t.v));
	t.parent = xcalloc(t.n + 1, sizeof(*t.parent));
	t.first = xcalloc(t.n + 1, sizeof(*t.first));
	t.next = xcalloc(t.n + 1, sizeof(*t.next));
	for (size_t i = 0; i < t.n; i++)
		t.v[i] = all[i];
	qsort(t.v, t.n, sizeof(*t.v), cmp_tid);
	for (size_t i = 0; i < t.n; i++)
		hmap_put(&by_tid, t.v[i]->tid, (void *)(uintptr_t)(i + 1));
	/* backwards: lists are built from their ends; list 0 are those without a parent */
	for (size_t i = t.n; i > 0; i--) {
		s64 want = parent_tid(t.v[i - 1]);
		u32 p = want < 0 ? 0 : (u32)(uintptr_t)hmap_get(&by_tid, (u64)want);

		t.parent[i] = p && p != i ? want : -1;
		if (p == i)
			p = 0;
		t.next[i] = t.first[p];
		t.first[p] = (u32)i;
	}
	for (u32 i = t.first[0], next; i; i = next) {
		next = t.next[i];
		t.next[i] = 0;
		/* all but the idle task are below somebody, known or not */
		add_below(&t, i, t.v[i - 1]->tid ? 1 : 0, out);
	}
	hmap_release(&by_tid);
	free(t.v);
	free(t.parent);
	free(t.first);
	free(t.next);
}

/* ---- counting ---- */

static void count(struct sink *s, const struct sink_item *items, size_t n)
{
	struct sample_counts *c = s->ctx;

	for (size_t i = 0; i < n; i++)
		if (items[i].sample->event)
			++*(u64 *)per_event(&c->n, items[i].sample->event);
}

static struct sink *counts_clone(struct sink *s)
{
	struct sample_counts *c = xnew(struct sample_counts);

	(void)s;
	sample_counts_init(c);
	return &c->sink;
}

static void add_count(void *to, const void *from)
{
	*(u64 *)to += *(const u64 *)from;
}

static void counts_merge(struct sink *s, struct sink *other)
{
	struct sample_counts *to = s->ctx, *from = other->ctx;

	per_event_merge(&to->n, &from->n, add_count);
	sample_counts_release(from);
	free(from);
}

void sample_counts_init(struct sample_counts *c)
{
	per_event_init(&c->n, sizeof(u64), NULL, NULL);
	c->sink = (struct sink){ .ctx = c, .samples = count, .clone = counts_clone,
				 .merge = counts_merge };
}

void sample_counts_release(struct sample_counts *c)
{
	per_event_release(&c->n);
}

u64 sample_counts_of(const struct sample_counts *c, const struct event *e)
{
	const u64 *n = per_event_peek(&c->n, e);

	return n ? *n : 0;
}
