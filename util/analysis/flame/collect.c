// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/flame/flame-priv.h"
#include "util/analysis/hist/keys.h"
#include "util/stream/frame.h"
#include "util/wire/offcpurec.h"

#define FIRST_SHIFT 20			/* slices of 1 ms */

/* ---- sums ---- */

static size_t sum_hash(const struct sum_slot *s)
{
	return hash_mul((u64)s->node << 32 ^ s->slice ^ (u64)s->track << 20);
}

static struct sum_slot *sum_find(const struct sum_table *t, const struct sum_slot *key)
{
	size_t i = sum_hash(key) & t->mask;

	for (; t->slots[i].n; i = (i + 1) & t->mask)
		if (t->slots[i].node == key->node && t->slots[i].slice == key->slice &&
		    t->slots[i].track == key->track)
			break;
	return &t->slots[i];
}

static void sum_grow(struct sum_table *t)
{
	const struct sum_table old = *t;

	t->mask = old.slots ? old.mask * 2 + 1 : 1023;
	t->slots = xtable(t->mask + 1, sizeof(*t->slots));
	for (size_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].n)
			*sum_find(t, &old.slots[i]) = old.slots[i];
	free(old.slots);
}

static void sum_add(struct sum_table *t, const struct sum_slot *s)
{
	struct sum_slot *to;

	if (!t->slots || t->n >= (t->mask + 1) / 3 * 2)
		sum_grow(t);
	to = sum_find(t, s);
	if (!to->n) {
		*to = *s;
		t->n++;
		return;
	}
	to->period += s->period;
	to->n += s->n;
}

static void widen(struct collector *c, unsigned shift)
{
	struct sum_table wide = { 0 };

	for (size_t i = 0; c->sums.slots && i <= c->sums.mask; i++) {
		struct sum_slot s = c->sums.slots[i];

		s.slice >>= shift - c->shift;
		if (s.n)
			sum_add(&wide, &s);
	}
	free(c->sums.slots);
	c->sums = wide;
	c->shift = shift;
}

/* ---- frames ---- */

static enum flame_kind kind_of(const struct location *l)
{
	if (!frame_function(l))
		return FLAME_UNNAMED;
	if (l->cpumode == PERF_RECORD_MISC_KERNEL || l->cpumode == PERF_RECORD_MISC_GUEST_KERNEL)
		return FLAME_KERNEL;
	if (l->inl && l->inline_depth)
		return FLAME_INLINED;
	if (hist_is_jit(l->dso))
		return FLAME_JIT;
	return FLAME_USER;
}

static u32 frame_of(struct collector *c, const struct location *l)
{
	const u64 words[3] = { (uintptr_t)frame_function(l), (uintptr_t)l->dso,
			       (u64)kind_of(l) << 1 | !!l->broken };
	const u32 id = idset_get(&c->frames, words);

	if (id == c->rvas.n) {
		vec_push(&c->rvas, l->sym ? l->sym->start_rva : 0);
		vec_push(&c->inlines, l->inline_depth ? l->inl : NULL);
	}
	return id;
}

static struct last_stack *last_of(struct collector *c, const struct resolved *r)
{
	struct last_stack *p = &c->last[(r->thread ? (unsigned)r->thread->index : 0) % N_LAST];

	if (p->thread != r->thread)
		p->n = 0;
	p->thread = r->thread;
	if (p->cap < r->n_frames) {
		p->cap = MAX(r->n_frames, 64u);
		p->v = xreallocarray(p->v, p->cap, sizeof(*p->v));
	}
	return p;
}

static inline bool same_frame(const struct last_frame *f, const struct location *l)
{
	return f->va == l->va && f->name == (l->inl ? (const void *)l->inl : l->sym);
}

/* Outermost first; as far as the thread's last stack is the same, nothing is looked for. */
static u32 stack_node(struct collector *c, const struct resolved *r)
{
	struct last_stack *p = last_of(c, r);
	const struct location *outer = r->frames + r->n_frames - 1;
	u32 k = 0, node = 0;

	while (k < r->n_frames && k < p->n && same_frame(&p->v[k], outer - k))
		k++;
	if (k)
		node = p->v[k - 1].node;
	for (; k < r->n_frames; k++) {
		const struct location *l = outer - k;

		node = cct_child(&c->tree, node, frame_of(c, l));
		p->v[k] = (struct last_frame){ l->va, l->inl ? (const void *)l->inl : l->sym,
					       node };
	}
	p->n = r->n_frames;
	return node;
}

u32 flame_reversed(struct collector *c, const struct sink_item *it, u32 node)
{
	const struct resolved *r = it->res;

	for (u32 k = 0; k < r->n_frames; k++)
		node = cct_child(&c->tree, node, frame_of(c, &r->frames[k]));
	return node;
}

/* ---- samples ---- */

u32 flame_node(struct collector *c, const struct sink_item *it)
{
	const struct resolved *r = it->res;

	if (c->flame->o.no_stacks)
		return 0;
	if (!r->n_frames)
		return cct_child(&c->tree, 0, frame_of(c, &r->leaf));
	return c->flame->o.reverse ? flame_reversed(c, it, 0) : stack_node(c, r);
}

u32 flame_marked(struct collector *c, u32 node, const char *text)
{
	const u64 words[3] = { (uintptr_t)text, 0, (u64)FLAME_UNNAMED << 1 };
	const u32 id = idset_get(&c->frames, words);

	if (id == c->rvas.n) {
		vec_push(&c->rvas, 0);
		vec_push(&c->inlines, NULL);
	}
	return cct_child(&c->tree, node, id);
}

u32 flame_track(struct collector *c, const struct event *e, const struct resolved *r)
{
	const u64 track[3] = { (uintptr_t)e, (uintptr_t)r->thread,
			      (uintptr_t)(r->comm ? r->comm->name : NULL) };

	return idset_get(&c->tracks, track);
}

/* sum.slice is set here. */
void flame_count(struct collector *c, struct sum_slot sum, u64 time_ns)
{
	const struct flame_opts *o = &c->flame->o;

	if (time_ns >= OFFCPU_SUMS_NS)
		time_ns = 0;
	sum.slice = o->slice_ns ? time_ns / o->slice_ns : time_ns >> c->shift;
	if (time_ns) {
		c->first_ns = MIN(c->first_ns, time_ns);
		c->last_ns = MAX(c->last_ns, time_ns);
	}
	sum_add(&c->sums, &sum);
	if (!o->slice_ns && c->sums.n > o->max_sums && c->shift < 63)
		widen(c, c->shift + 1);
}

static void add_sample(struct collector *c, const struct sink_item *it)
{
	const struct sample *s = it->sample;

	flame_count(c, (struct sum_slot){ .track = flame_track(c, s->event, it->res),
					  .node = flame_node(c, it), .period = hist_period(s),
					  .n = 1 },
		    s->present & PERF_SAMPLE_TIME ? s->time_ns : 0);
}

static void flame_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_sample(s->ctx, &items[i]);
}

/* ---- workers ---- */

static struct sink *flame_clone(struct sink *s)
{
	return &collector_new(((struct collector *)s->ctx)->flame)->sink;
}

static u32 *merge_frames(struct collector *into, const struct collector *from)
{
	u32 *ids = xcalloc(from->frames.n + 1, sizeof(*ids));

	for (u32 i = 0; i < from->frames.n; i++) {
		ids[i] = idset_get(&into->frames, idset_at(&from->frames, i));
		if (ids[i] == into->rvas.n) {
			vec_push(&into->rvas, from->rvas.v[i]);
			vec_push(&into->inlines, from->inlines.v[i]);
		}
	}
	return ids;
}

static void flame_merge(struct sink *s, struct sink *other)
{
	struct collector *into = s->ctx, *from = other->ctx;
	u32 *frames = merge_frames(into, from);
	u32 *tracks = xcalloc(from->tracks.n + 1, sizeof(*tracks));
	u32 *nodes = xcalloc(from->tree.nodes.n, sizeof(*nodes));

	for (u32 i = 0; i < from->tracks.n; i++)
		tracks[i] = idset_get(&into->tracks, idset_at(&from->tracks, i));
	for (size_t i = 1; i < from->tree.nodes.n; i++) {
		const struct cct_node *n = &from->tree.nodes.v[i];

		nodes[i] = cct_child(&into->tree, nodes[n->parent], frames[n->tag]);
	}
	if (into->shift < from->shift)
		widen(into, from->shift);
	if (from->shift < into->shift)
		widen(from, into->shift);
	for (size_t i = 0; from->sums.slots && i <= from->sums.mask; i++) {
		struct sum_slot sum = from->sums.slots[i];

		if (!sum.n)
			continue;
		sum.track = tracks[sum.track];
		sum.node = nodes[sum.node];
		sum_add(&into->sums, &sum);
	}
	while (!into->flame->o.slice_ns && into->sums.n > into->flame->o.max_sums &&
	       into->shift < 63)
		widen(into, into->shift + 1);
	into->first_ns = MIN(into->first_ns, from->first_ns);
	into->last_ns = MAX(into->last_ns, from->last_ns);
	free(frames);
	free(tracks);
	free(nodes);
	collector_free(from);
}

struct collector *collector_new(struct flame *f)
{
	struct collector *c = xnew(struct collector);

	c->flame = f;
	c->shift = FIRST_SHIFT;
	c->first_ns = UINT64_MAX;
	cct_init(&c->tree);
	idset_init(&c->frames, 3);
	idset_init(&c->tracks, 3);
	c->sink = (struct sink){ .wants = f->o.no_stacks ? SINK_THREAD :
					 SINK_SYMBOLS | SINK_CHAIN | SINK_THREAD | SINK_LEAF |
					 (f->o.no_inline ? 0 : SINK_INLINE),
				 .ctx = c, .samples = flame_samples, .clone = flame_clone,
				 .merge = flame_merge };
	return c;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	cct_release(&c->tree);
	idset_release(&c->frames);
	idset_release(&c->tracks);
	vec_free(&c->rvas);
	vec_free(&c->inlines);
	free(c->sums.slots);
	for (size_t i = 0; i < N_LAST; i++)
		free(c->last[i].v);
	free(c);
}
