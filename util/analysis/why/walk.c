// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Back from the end of a span: the path goes along the task's own time, and where it slept until
 * another task woke it, along that one's, until the beginning of the sleep.
 */
#include <stdlib.h>
#include <string.h>

#include "util/analysis/why/why-priv.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"

enum { MAX_DEPTH = 64 };
/* Longer than it takes an idle CPU to run who was woken. */
#define SLOW_IDLE_NS 500000
/* Page faults that are nearer to each other are most of what the task does then. */
#define FAULT_GAP_NS 50000
enum { MIN_FAULTS = 8 };
/* A cgroup's quota is renewed, and who had to wait for that runs after a turn of others at most. */
#define REFILL_NS 4000000
#define MIN_QUOTA_NS 1000000
/* The end of a request and the wake-up belong together. */
#define DONE_NS 200000

/* The path is at a task that another one waited for, since lo_ns. */
struct level { int task; u64 lo_ns; u8 wait; u64 number; };

struct walk {
	const struct why *w;
	struct arena *texts;
	why_parts *out;
	VEC(struct level) levels;	/* the first: the span itself */
	u64 t_ns;			/* what comes after is explained */
};

static const struct level *level(const struct walk *k) { return vec_last(&k->levels); }

static const struct why_task *task_of(const struct walk *k)
{
	return &k->w->tasks.v[level(k)->task];
}

static const struct why_extra *extra_of(const struct walk *k)
{
	return hmap_get(&k->w->extras, task_of(k)->task->tid);
}

/* Who had the lock is what the wait for it is called by. */
static bool is_lock(u8 wait) { return wait == WAIT_LOCK || wait == WAIT_FUTEX; }

static struct why_part *emit(struct walk *k, u64 from_ns, enum why_kind kind)
{
	const struct level *l = level(k);
	struct why_part *p = vec_add(k->out);

	if ((kind == KIND_RUNS || kind == KIND_TIMER) && k->levels.n > 1 && is_lock(l->wait))
		kind = KIND_LOCK;
	else if (kind == KIND_RUNS && k->levels.n > 1)
		kind = KIND_WORK;
	*p = (struct why_part){ .from_ns = from_ns, .to_ns = k->t_ns, .task = l->task,
				.depth = (int)k->levels.n - 1, .kind = (u8)kind, .wait = l->wait,
				.other = -1, .cpu = -1,
				.number = kind == KIND_LOCK ? l->number : 0 };
	k->t_ns = from_ns;
	return p;
}

/* --- it ran */

/* The page faults before t_ns that follow each other closely: their number, and the first one. */
static size_t fault_group(const why_times *v, u64 lo_ns, u64 t_ns, size_t *end)
{
	size_t i, n = 0;

	while (*end && v->v[*end - 1] >= t_ns)
		(*end)--;
	for (i = *end; i-- > 0 && v->v[i] >= lo_ns; n++)
		if (i + 1 < *end && v->v[i + 1] - v->v[i] > FAULT_GAP_NS)
			break;
	return n;
}

static void emit_run(struct walk *k, u64 lo_ns, int cpu)
{
	const struct why_extra *x = extra_of(k);
	size_t end = x ? x->faults.n : 0;

	while (x && end && k->t_ns > lo_ns) {
		const size_t n = fault_group(&x->faults, lo_ns, k->t_ns, &end);
		const u64 first = n ? x->faults.v[end - n] : 0, last = n ? x->faults.v[end - 1] : 0;

		if (!n)
			break;
		if (n >= MIN_FAULTS && last > first) {
			if (k->t_ns > last)
				emit(k, last, KIND_RUNS)->cpu = cpu;
			emit(k, first, KIND_FAULT)->number = n;
		}
		end -= n;
	}
	if (k->t_ns > lo_ns)
		emit(k, lo_ns, KIND_RUNS)->cpu = cpu;
}

/* --- it was ready, and others ran on its CPU */

/* Until when it was kept from running by its cgroup's quota: it left the CPU ready to run, and ran
 * again soon after the timer that renews quotas. 0: it was not. */
static u64 quota_end(const struct walk *k, const struct why_seg *seg)
{
	const struct why_task *t = task_of(k);
	const struct why_seg *first = seg, *end = seg;
	size_t i = k->w->refills.n;

	while (first > t->segs.v && first->state == WHY_READY && !first->woken)
		first--;
	while (end < t->segs.v + t->segs.n && end->state == WHY_READY)
		end++;
	if (first->state != WHY_RUNS || end == t->segs.v + t->segs.n || end->state != WHY_RUNS)
		return 0;
	while (i && k->w->refills.v[i - 1] > end->from_ns)
		i--;
	if (!i || k->w->refills.v[i - 1] + REFILL_NS < end->from_ns ||
	    k->w->refills.v[i - 1] < first[1].from_ns + MIN_QUOTA_NS)
		return 0;
	return k->w->refills.v[i - 1];
}

static void emit_ready(struct walk *k, u64 lo_ns, int cpu, u64 quota_ns)
{
	const struct why_cpu *c = (size_t)cpu < k->w->cpus.n ? &k->w->cpus.v[cpu] : NULL;

	while (k->t_ns > lo_ns) {
		const long i = c ? why_last_at(&c->slots, k->t_ns - 1) : -1;
		const struct why_slot *slot = i >= 0 ? &c->slots.v[i] : NULL;
		u64 from = slot ? MAX(slot->from_ns, lo_ns) : lo_ns;
		struct why_part *p;

		if (quota_ns > lo_ns && k->t_ns <= quota_ns) {
			p = emit(k, lo_ns, KIND_IDLE_CPU);
			p->number = 1;
			p->cpu = cpu;
			return;
		}
		if (quota_ns > from && quota_ns < k->t_ns)
			from = quota_ns;
		if (!slot || slot->task == level(k)->task)
			p = emit(k, from, KIND_UNKNOWN);
		else if (slot->task < 0 && k->t_ns - from >= SLOW_IDLE_NS)
			p = emit(k, from, KIND_IDLE_CPU);
		else
			p = emit(k, from, KIND_CPU);
		p->other = slot ? slot->task : -1;
		p->prio = slot ? slot->prio : 0;
		p->cpu = cpu;
	}
}

/* --- it slept */

struct sleep {
	const struct why_seg *seg, *wake;	/* wake NULL: nobody woke it */
	u64 from_ns, to_ns;			/* of the segment */
	u8 wait;
	u64 number;
};

static void look_at_call(const struct walk *k, struct sleep *s)
{
	const struct why_extra *x = extra_of(k);
	const long i = x ? why_last_at(&x->calls, s->from_ns) : -1;
	const struct why_call *c = i >= 0 ? &x->calls.v[i] : NULL;

	if (!c || (c->to_ns && c->to_ns < s->from_ns))
		return;
	if (s->wait == WAIT_UNKNOWN)
		s->wait = (u8)why_wait_of_call(k->w, c->nr);
	if (s->wait == WAIT_FUTEX)
		s->number = c->arg;
}

static void look_at_locks(const struct walk *k, struct sleep *s)
{
	const struct why_extra *x = extra_of(k);
	const long i = x ? why_last_at(&x->locks, s->from_ns) : -1;
	const struct why_lock *l = i >= 0 ? &x->locks.v[i] : NULL;

	if (!l || (l->to_ns && l->to_ns < s->from_ns))
		return;
	if (s->wait == WAIT_UNKNOWN)
		s->wait = WAIT_LOCK;
	if (s->wait == WAIT_LOCK)
		s->number = l->addr;
}

static const char *device_name(struct walk *k, u32 dev)
{
	struct str s = STR_INIT;
	const char *name;

	tp_add_dev(&s, dev);
	name = arena_strdup(k->texts, str_cstr(&s));
	str_release(&s);
	return name;
}

/* The request whose end woke it: its own before others. */
static const struct why_request *request_of(const struct walk *k, const struct sleep *s)
{
	const struct why_request *best = NULL;
	const u32 tid = task_of(k)->task->tid;

	for vec_each(c, &k->w->cpus) {
		long i = why_last_at(&c->done, s->to_ns);

		for (; i >= 0 && c->done.v[i].from_ns + DONE_NS >= s->to_ns; i--) {
			const struct why_request *r = &c->done.v[i];

			if (r->from_ns <= s->from_ns)
				break;
			if (r->tid == tid)
				return r;
			best = best ? best : r;
		}
	}
	return best;
}

static const char *handler_of(const struct walk *k, const struct sleep *s)
{
	const struct why_cpu *c;
	long i;

	for vec_each(at, &k->w->cpus) {
		c = at;
		i = why_last_at(&c->handlers, s->to_ns);
		if (i >= 0 && c->handlers.v[i].from_ns + DONE_NS >= s->to_ns)
			return c->handlers.v[i].name;
	}
	return NULL;
}

static enum why_kind kind_of_handler(const char *name)
{
	if (!name)
		return KIND_INTERRUPT;
	return !strcmp(name, "TIMER") || !strcmp(name, "HRTIMER") ? KIND_TIMER :
		!strcmp(name, "BLOCK") ? KIND_DISK :
		!strcmp(name, "NET_RX") || !strcmp(name, "NET_TX") ? KIND_NETWORK : KIND_INTERRUPT;
}

static enum why_kind kind_of_wake(const struct sleep *s)
{
	switch (s->wake ? (enum why_how)s->wake->how : HOW_TASK) {
	case HOW_TIMER: return KIND_TIMER;
	case HOW_DISK: return KIND_DISK;
	case HOW_NETWORK: return KIND_NETWORK;
	case HOW_INTERRUPT: return KIND_INTERRUPT;
	case HOW_TASK: break;
	}
	return KIND_SLEEP;
}

/* What ended it was no task. */
static void emit_sleep(struct walk *k, const struct sleep *s, u64 lo_ns)
{
	const bool by_task = s->wake && s->wake->how == HOW_TASK;
	enum why_kind kind = kind_of_wake(s);
	const struct why_request *r = NULL;
	const char *handler = NULL;
	struct why_part *p;

	if (s->seg->state == WHY_STOPPED)
		kind = KIND_STOPPED;
	else if (s->wait == WAIT_TIMER)
		kind = KIND_TIMER;
	else if (s->wait == WAIT_DISK)
		kind = KIND_DISK;
	else if (s->wait == WAIT_MEMORY)
		kind = KIND_MEMORY;
	if (kind == KIND_INTERRUPT) {
		handler = handler_of(k, s);
		kind = kind_of_handler(handler);
	}
	if (kind == KIND_DISK || (kind == KIND_INTERRUPT && !by_task))
		r = request_of(k, s);
	if (r || (kind == KIND_INTERRUPT && s->seg->state == WHY_BLOCKED))
		kind = KIND_DISK;
	p = emit(k, lo_ns, kind);
	p->name = r ? device_name(k, r->dev) : kind == KIND_INTERRUPT ? handler : NULL;
	p->number = p->kind == KIND_LOCK ? p->number : s->seg->fault;
	p->wait = p->kind == KIND_LOCK ? p->wait : s->wait;
	p->other = by_task ? s->wake->waker : -1;
}

static bool goes_on(const struct walk *k, const struct sleep *s)
{
	return s->wake && s->wake->how == HOW_TASK && s->wake->waker >= 0 &&
		s->wake->waker != level(k)->task && k->levels.n < MAX_DEPTH &&
		s->seg->state != WHY_STOPPED && s->wait != WAIT_TIMER && s->wait != WAIT_DISK &&
		s->wait != WAIT_MEMORY && (size_t)s->wake->waker < k->w->tasks.n;
}

static void sleep_or_follow(struct walk *k, const struct why_seg *seg, u64 lo_ns)
{
	const struct why_task *t = task_of(k);
	const struct why_seg *next = seg + 1 < t->segs.v + t->segs.n ? seg + 1 : NULL;
	struct sleep s = { .seg = seg, .wait = seg->wait, .from_ns = seg->from_ns,
			   .to_ns = next ? next->from_ns : k->w->last_ns };
	struct why_part *p;

	s.wake = next && next->state == WHY_READY && next->woken ? next : NULL;
	look_at_call(k, &s);
	look_at_locks(k, &s);
	if (s.wait == WAIT_UNKNOWN && request_of(k, &s) &&
	    request_of(k, &s)->tid == t->task->tid)
		s.wait = WAIT_DISK;
	if (!goes_on(k, &s)) {
		emit_sleep(k, &s, lo_ns);
		return;
	}
	p = vec_add(k->out);
	*p = (struct why_part){ .from_ns = lo_ns, .to_ns = k->t_ns, .task = level(k)->task,
				.depth = (int)k->levels.n - 1, .is_wait = true, .cpu = -1,
				.kind = is_lock(s.wait) ? KIND_LOCK : KIND_SLEEP, .wait = s.wait,
				.other = s.wake->waker, .number = s.number };
	vec_push(&k->levels, ((struct level){ .task = s.wake->waker, .lo_ns = lo_ns,
					      .wait = s.wait, .number = s.number }));
}

/* --- the path */

static void step(struct walk *k)
{
	const struct why_task *t = task_of(k);
	const long i = why_last_at(&t->segs, k->t_ns - 1);
	const struct why_seg *seg = i >= 0 ? &t->segs.v[i] : NULL;
	const u64 lo = seg ? MAX(seg->from_ns, level(k)->lo_ns) : level(k)->lo_ns;

	switch (seg ? (enum why_state)seg->state : WHY_UNKNOWN) {
	case WHY_RUNS:
		emit_run(k, lo, seg->cpu);
		break;
	case WHY_READY:
		emit_ready(k, lo, seg->cpu, quota_end(k, seg));
		break;
	case WHY_SLEEPS:
	case WHY_BLOCKED:
	case WHY_STOPPED:
		sleep_or_follow(k, seg, lo);
		break;
	case WHY_GONE:
	case WHY_UNKNOWN:
		emit(k, lo, KIND_UNKNOWN);
		break;
	}
}

static int cmp_parts(const void *a, const void *b)
{
	const struct why_part *x = a, *y = b;

	if (x->from_ns != y->from_ns)
		return x->from_ns < y->from_ns ? -1 : 1;
	return x->depth - y->depth;
}

void why_walk(const struct why *w, const struct why_span *span, struct arena *texts,
	      why_parts *out)
{
	struct walk k = { .w = w, .texts = texts, .out = out, .t_ns = span->to_ns };

	if (span->task->index >= (int)w->tasks.n)
		return;
	vec_push(&k.levels, ((struct level){ .task = span->task->index,
					     .lo_ns = span->from_ns }));
	while (k.levels.n) {
		if (k.t_ns <= level(&k)->lo_ns)
			(void)vec_pop(&k.levels);
		else
			step(&k);
	}
	vec_free(&k.levels);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), cmp_parts);
}
