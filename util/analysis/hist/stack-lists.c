// SPDX-License-Identifier: GPL-2.0-or-later
/*
 *  1. A worker has tables of its own; numbers of names and roots are given under a lock, so they
 *     are the same for all workers, and depend on the threads' race. Nothing is ordered by them.
 *  2. path->ids has the frames of the thread's last stack; entry k says where in them its frame
 *     ends, and the hash of all up to there. Frames that the next stack has in common with it are
 *     taken over.
 *  3. Workers are merged in the order of the file, and so are their lists.
 */
#include "util/analysis/hist/stack-lists.h"

#include <pthread.h>

#include "util/analysis/hist/cct.h"
#include "util/analysis/hist/hist.h"
#include "util/base/xalloc.h"
#include "util/stream/frame.h"

#define N_PATHS 256
#define N_ROOTS 64
#define MAX_INLINED 64

/* What an address stands for: one name, or a run of them in steps. */
struct place { const void *dso; u64 rva; u32 first, n; };	/* n: 0 is empty; 1: the name */
struct places {
	struct place *v;
	size_t n, mask;
	VEC(u32) steps;
};

struct entry { u64 va; const void *dso; u64 hash; u32 end; };
struct path {
	const struct thread *thread;
	u32 n, cap;
	struct entry *e;
	VEC(u32) ids;
};

struct root_slot { struct stack_root root; u32 number; bool known; };

struct lists {					/* one a worker */
	struct stack_lists *all;
	struct sink sink;
	struct places callers, leaves;		/* a leaf alone is not expanded */
	struct path paths[N_PATHS];
	struct root_slot roots[N_ROOTS];
	VEC(struct stack_list) v;
	u32 *slots;				/* number in v, plus one */
	size_t mask;
	struct arena arena;
};

struct known { struct places callers, leaves; };

struct stack_lists {
	struct stacks_opts opts;
	struct lists *main;
	pthread_mutex_t lock;			/* of what follows */
	struct intern *names;
	struct hmap ids;			/* name -> number + 1 */
	VEC(const char *) by_id;
	struct idset root_ids;
	VEC(struct stack_root) roots;
	VEC(struct known) spare;		/* of merged workers, for the next ones */
};

/* ---- names ---- */

static u32 name_id(struct stack_lists *all, const struct location *l)
{
	const char *name = frame_function(l);
	struct str s = STR_INIT;
	uintptr_t id;

	if (!name)
		frame_add_label(l, &s);
	name = intern_str(all->names, name ? name : str_cstr(&s));
	str_release(&s);
	pthread_mutex_lock(&all->lock);
	id = (uintptr_t)hmap_get(&all->ids, (uintptr_t)name);
	if (!id) {
		vec_push(&all->by_id, name);
		id = all->by_id.n;
		hmap_put(&all->ids, (uintptr_t)name, (void *)id);
	}
	pthread_mutex_unlock(&all->lock);
	return (u32)id - 1;
}

static void expand(struct lists *w, struct places *of, const struct location *l, struct place *out)
{
	const struct inline_frame *inl = NULL;
	struct location part = *l;
	size_t n = 0;

	part.inl = NULL;
	if (of == &w->callers && !w->all->opts.no_inline && l->dso && l->sym &&
	    l->cpumode == PERF_RECORD_MISC_USER)
		n = MIN(dso_inlines(l->dso, l->rva, &inl), (size_t)MAX_INLINED);
	out->n = 1;
	out->first = name_id(w->all, &part);
	if (n < 2)
		return;
	vec_push(&of->steps, out->first);
	out->first = (u32)of->steps.n - 1;
	for (size_t i = n; i-- > 1; out->n++) {	/* the last one is the function itself */
		part.inl = &inl[i - 1];
		part.inline_depth = (u32)(n - i);
		vec_push(&of->steps, name_id(w->all, &part));
	}
}

static size_t place_hash(const void *dso, u64 rva)
{
	return hash_mul(rva ^ (uintptr_t)dso << 7);
}

static void places_grow(struct places *p)
{
	struct places old = *p;

	p->mask = old.v ? old.mask * 2 + 1 : 1023;
	p->v = xtable(p->mask + 1, sizeof(*p->v));
	for (size_t i = 0; old.v && i <= old.mask; i++) {
		size_t j = place_hash(old.v[i].dso, old.v[i].rva) & p->mask;

		if (!old.v[i].n)
			continue;
		while (p->v[j].n)
			j = (j + 1) & p->mask;
		p->v[j] = old.v[i];
	}
	free(old.v);
}

static inline const void *place_dso(const struct location *l)
{
	return l->dso ? (const void *)l->dso :
		(const void *)(uintptr_t)(l->cpumode + 1 + 256 * l->broken);
}

static inline void place_fetch(const struct places *p, const struct location *l)
{
	if (p->v)
		__builtin_prefetch(&p->v[place_hash(place_dso(l), l->dso ? l->rva : 0) & p->mask]);
}

/* Where nothing is mapped one address is as good as another. */
static const struct place *place_of(struct lists *w, struct places *p, const struct location *l)
{
	const void *dso = place_dso(l);
	const u64 rva = l->dso ? l->rva : 0;
	size_t i;

	if (!p->v || p->n >= (p->mask + 1) / 3 * 2)
		places_grow(p);
	for (i = place_hash(dso, rva) & p->mask; p->v[i].n; i = (i + 1) & p->mask)
		if (p->v[i].rva == rva && p->v[i].dso == dso)
			return &p->v[i];
	p->v[i] = (struct place){ .dso = dso, .rva = rva };
	expand(w, p, l, &p->v[i]);
	p->n++;
	return &p->v[i];
}

static inline const u32 *place_ids(const struct places *p, const struct place *at)
{
	return at->n == 1 ? &at->first : p->steps.v + at->first;
}

/* ---- roots ---- */

static u32 new_root(struct stack_lists *all, const struct stack_root *r)
{
	const u64 words[4] = { (uintptr_t)r->event, (uintptr_t)r->comm, r->pid, r->tid };
	u32 id;

	pthread_mutex_lock(&all->lock);
	id = idset_get(&all->root_ids, words);
	if (id == all->roots.n)
		vec_push(&all->roots, *r);
	pthread_mutex_unlock(&all->lock);
	return id;
}

static u32 root_of(struct lists *w, const struct sink_item *it)
{
	const struct stacks_opts *o = &w->all->opts;
	const struct resolved *res = it->res;
	struct stack_root r = { .event = it->sample->event };
	struct root_slot *slot;

	if (o->by_comm)
		r.comm = res->comm ? res->comm->name : "";
	if (o->by_pid)
		r.pid = res->thread ? res->thread->pid : it->sample->pid;
	if (o->by_tid)
		r.tid = res->thread ? res->thread->tid : it->sample->tid;
	slot = &w->roots[hash_slot((uintptr_t)r.event ^ (uintptr_t)r.comm << 1 ^ r.pid ^ r.tid,
				   N_ROOTS)];
	if (!slot->known || slot->root.event != r.event || slot->root.comm != r.comm ||
	    slot->root.pid != r.pid || slot->root.tid != r.tid)
		*slot = (struct root_slot){ r, new_root(w->all, &r), true };
	return slot->number;
}

/* ---- lists ---- */

static inline u64 add_hash(u64 hash, u64 x)
{
	hash = (hash ^ x) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

static void lists_grow(struct lists *w)
{
	w->mask = w->slots ? w->mask * 2 + 1 : 1023;
	free(w->slots);
	w->slots = xtable(w->mask + 1, sizeof(*w->slots));
	for (size_t k = 0; k < w->v.n; k++) {
		size_t i = w->v.v[k].hash & w->mask;

		while (w->slots[i])
			i = (i + 1) & w->mask;
		w->slots[i] = (u32)k + 1;
	}
}

/* of: what is new is added, its frames copied. */
static void add_list(struct lists *w, const struct stack_list *of)
{
	struct stack_list *l;
	size_t i;

	if (!w->slots || w->v.n > w->mask / 2)
		lists_grow(w);
	for (i = of->hash & w->mask; w->slots[i]; i = (i + 1) & w->mask) {
		l = &w->v.v[w->slots[i] - 1];
		if (l->hash != of->hash || l->root != of->root || l->n_frames != of->n_frames ||
		    memcmp(l->frames, of->frames, of->n_frames * sizeof(u32)))
			continue;
		l->period += of->period;
		l->n += of->n;
		return;
	}
	vec_push(&w->v, *of);
	w->slots[i] = (u32)w->v.n;
	vec_last(&w->v)->frames = arena_dup(&w->arena, of->frames, of->n_frames * sizeof(u32));
}

static struct path *path_of(struct lists *w, const struct thread *th, u32 frames)
{
	struct path *p = &w->paths[(th ? (unsigned)th->index : 0) % N_PATHS];

	if (p->thread != th) {
		p->thread = th;
		p->n = 0;
	}
	if (p->cap < frames) {
		p->cap = MAX(frames, 32u);
		p->e = xreallocarray(p->e, p->cap, sizeof(*p->e));
	}
	return p;
}

#define AHEAD 4		/* frames */

/* Its frames, by the chain. */
static void chain_list(struct lists *w, const struct resolved *r, struct stack_list *out)
{
	const struct location *outer = &r->frames[r->n_frames - 1];
	struct path *p = path_of(w, r->thread, r->n_frames);
	const u32 n = r->n_frames;
	u64 hash = 0;
	u32 k = 0;

	while (k < n && k < p->n && p->e[k].va == outer[-(ssize_t)k].va &&
	       p->e[k].dso == outer[-(ssize_t)k].dso)
		k++;
	p->ids.n = k ? p->e[k - 1].end : 0;
	hash = k ? p->e[k - 1].hash : 0;
	for (; k < n; k++) {
		const struct location *l = outer - k;
		const struct place *at;
		const u32 *ids;

		if (k + AHEAD < n)
			place_fetch(&w->callers, l - AHEAD);
		at = place_of(w, &w->callers, l);
		ids = place_ids(&w->callers, at);
		for (u32 i = 0; i < at->n; i++) {
			hash = add_hash(hash, ids[i]);
			vec_push(&p->ids, ids[i]);
		}
		p->e[k] = (struct entry){ l->va, l->dso, hash, (u32)p->ids.n };
	}
	p->n = n;
	out->frames = p->ids.v;
	out->n_frames = (u32)p->ids.n;
	out->hash = hash;
}

static void leaf_list(struct lists *w, const struct resolved *r, struct stack_list *out)
{
	out->frames = place_ids(&w->leaves, place_of(w, &w->leaves, &r->leaf));
	out->n_frames = 1;
	out->hash = add_hash(0, out->frames[0]);
}

static void add_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	struct lists *w = s->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct resolved *r = items[i].res;
		struct stack_list one = { .root = root_of(w, &items[i]), .n = 1,
					  .period = hist_period(items[i].sample) };

		if (r->n_frames)
			chain_list(w, r, &one);
		else
			leaf_list(w, r, &one);
		one.hash = add_hash(one.hash, one.root);
		add_list(w, &one);
	}
}

/* ---- workers ---- */

static struct lists *lists_new(struct stack_lists *all);

static void places_release(struct places *p)
{
	free(p->v);
	vec_free(&p->steps);
}

static void lists_free(struct lists *w)
{
	places_release(&w->callers);
	places_release(&w->leaves);
	for (size_t i = 0; i < N_PATHS; i++) {
		free(w->paths[i].e);
		vec_free(&w->paths[i].ids);
	}
	vec_free(&w->v);
	free(w->slots);
	arena_release(&w->arena);
	free(w);
}

static struct sink *clone_lists(struct sink *s)
{
	return &lists_new(((struct lists *)s->ctx)->all)->sink;
}

static void merge_lists(struct sink *s, struct sink *other)
{
	struct lists *into = s->ctx, *from = other->ctx;

	for vec_each(l, &from->v)
		add_list(into, l);
	pthread_mutex_lock(&into->all->lock);
	vec_push(&into->all->spare, ((struct known){ from->callers, from->leaves }));
	pthread_mutex_unlock(&into->all->lock);
	from->callers = from->leaves = (struct places){ 0 };
	lists_free(from);
}

static struct lists *lists_new(struct stack_lists *all)
{
	struct lists *w = xnew(struct lists);

	w->all = all;
	w->sink = (struct sink){ .wants = SINK_SYMBOLS | SINK_THREAD | SINK_CHAIN |
					 SINK_LEAF, .ctx = w,
				 .samples = add_samples, .clone = clone_lists,
				 .merge = merge_lists };
	pthread_mutex_lock(&all->lock);
	if (all->spare.n) {
		struct known k = vec_pop(&all->spare);

		w->callers = k.callers;
		w->leaves = k.leaves;
	}
	pthread_mutex_unlock(&all->lock);
	return w;
}

struct stack_lists *stack_lists_new(const struct stacks_opts *opts)
{
	struct stack_lists *st = xnew(struct stack_lists);

	st->opts = *opts;
	st->names = intern_new();
	pthread_mutex_init(&st->lock, NULL);
	idset_init(&st->root_ids, 4);
	st->main = lists_new(st);
	return st;
}

void stack_lists_free(struct stack_lists *st)
{
	if (!st)
		return;
	lists_free(st->main);
	for vec_each(k, &st->spare) {
		places_release(&k->callers);
		places_release(&k->leaves);
	}
	vec_free(&st->spare);
	vec_free(&st->by_id);
	vec_free(&st->roots);
	hmap_release(&st->ids);
	idset_release(&st->root_ids);
	intern_free(st->names);
	pthread_mutex_destroy(&st->lock);
	free(st);
}

struct sink *stack_lists_sink(struct stack_lists *st) { return &st->main->sink; }
size_t stack_lists_n(const struct stack_lists *st) { return st->main->v.n; }
const struct stack_list *stack_lists_at(const struct stack_lists *st,
					size_t i) { return &st->main->v.v[i]; }
size_t stack_lists_n_names(const struct stack_lists *st) { return st->by_id.n; }
const char *stack_lists_name(const struct stack_lists *st, size_t i) { return st->by_id.v[i]; }
size_t stack_lists_n_roots(const struct stack_lists *st) { return st->roots.n; }
const struct stack_root *stack_lists_root(const struct stack_lists *st,
					  size_t i) { return &st->roots.v[i]; }
