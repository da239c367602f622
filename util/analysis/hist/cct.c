// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/hist/cct.h"

/* ---- tuples to ids ---- */

void idset_init(struct idset *s, unsigned width)
{
	memset(s, 0, sizeof(*s));
	s->width = width;
}

void idset_release(struct idset *s)
{
	free(s->words);
	free(s->slots);
	memset(s, 0, sizeof(*s));
}

static u64 tuple_hash(const u64 *t, unsigned width)
{
	u64 x = 0x9e3779b97f4a7c15ULL;

	for (unsigned i = 0; i < width; i++)
		x = hash_u64(x ^ t[i]) + i;
	return x;
}

static void idset_grow(struct idset *s)
{
	size_t slots = s->slots ? (s->mask + 1) * 2 : 64;

	free(s->slots);
	s->slots = xtable(slots, sizeof(*s->slots));
	s->mask = slots - 1;
	for (size_t id = 0; id < s->n; id++) {
		size_t i = tuple_hash(idset_at(s, (u32)id), s->width) & s->mask;

		while (s->slots[i])
			i = (i + 1) & s->mask;
		s->slots[i] = (u32)id + 1;
	}
}

u32 idset_get(struct idset *s, const u64 *tuple)
{
	const size_t bytes = s->width * sizeof(u64);
	size_t i;

	if (!s->slots || s->n >= (s->mask + 1) / 2)
		idset_grow(s);
	for (i = tuple_hash(tuple, s->width) & s->mask; s->slots[i]; i = (i + 1) & s->mask)
		if (!bytes || !memcmp(idset_at(s, s->slots[i] - 1), tuple, bytes))
			return s->slots[i] - 1;
	if (s->n == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 64;
		s->words = xreallocarray(s->words, s->cap, MAX(bytes, sizeof(u64)));
	}
	if (bytes)
		memcpy(s->words + s->n * s->width, tuple, bytes);
	s->slots[i] = (u32)++s->n;
	return (u32)s->n - 1;
}

/* ---- the calling-context tree ---- */

void cct_init(struct cct *t)
{
	memset(t, 0, sizeof(*t));
	vec_add(&t->nodes);
	vec_add(&t->hashes);
	t->mask = 1023;
	t->slots = xtable(t->mask + 1, sizeof(*t->slots));
}

void cct_release(struct cct *t)
{
	vec_free(&t->nodes);
	vec_free(&t->hashes);
	free(t->slots);
	t->slots = NULL;
}

static void cct_grow(struct cct *t)
{
	const size_t slots = (t->mask + 1) * 2;
	struct cct_slot *old = t->slots;

	t->slots = xtable(slots, sizeof(*t->slots));
	for (size_t k = 0; k <= t->mask; k++) {
		size_t i = old[k].hash & (slots - 1);

		if (!old[k].node)
			continue;
		while (t->slots[i].node)
			i = (i + 1) & (slots - 1);
		t->slots[i] = old[k];
	}
	t->mask = slots - 1;
	free(old);
}

u32 cct_child_at(struct cct *t, u32 parent, u32 tag, u32 hash)
{
	size_t i = hash & t->mask;
	u32 node;

	for (; t->slots[i].node; i = (i + 1) & t->mask)
		if (t->slots[i].parent == parent && t->slots[i].tag == tag)
			return t->slots[i].node;
	node = (u32)t->nodes.n;
	vec_push(&t->nodes, ((struct cct_node){ .parent = parent, .tag = tag }));
	vec_push(&t->hashes, hash);
	t->slots[i] = (struct cct_slot){ parent, tag, node, hash };
	if (t->nodes.n > (t->mask + 1) / 4 * 3)
		cct_grow(t);
	return node;
}

u32 cct_child(struct cct *t, u32 parent, u32 tag)
{
	return cct_child_at(t, parent, tag, cct_hash(t->hashes.v[parent], tag));
}

#define MERGE_AHEAD 16

void cct_merge(struct cct *into, const struct cct *from)
{
	u32 *map = xcalloc(from->nodes.n, sizeof(*map));

	/* parents come before their children */
	for (size_t n = 1; n < from->nodes.n; n++) {
		const struct cct_node *f = &from->nodes.v[n];
		struct cct_node *to;

		if (n + MERGE_AHEAD < from->nodes.n)
			cct_fetch(into, from->hashes.v[n + MERGE_AHEAD]);
		map[n] = cct_child_at(into, map[f->parent], f->tag, from->hashes.v[n]);
		to = &into->nodes.v[map[n]];
		to->self += f->self;
		to->self_n += f->self_n;
	}
	free(map);
}

#define MOST_SPARE 4	/* memory for so many times the nodes that there are is kept */

static void shrink(struct cct *t)
{
	const size_t n = MAX(t->nodes.n, (size_t)1024);

	if (t->nodes.cap / MOST_SPARE > n) {
		t->nodes.cap = t->hashes.cap = n;
		t->nodes.v = xreallocarray(t->nodes.v, n, sizeof(*t->nodes.v));
		t->hashes.v = xreallocarray(t->hashes.v, n, sizeof(*t->hashes.v));
	}
	if ((t->mask + 1) / MOST_SPARE / 2 <= n) {
		memset(t->slots, 0, (t->mask + 1) * sizeof(*t->slots));
		return;
	}
	free(t->slots);
	while ((t->mask + 1) / 4 > n)
		t->mask >>= 1;
	t->slots = xtable(t->mask + 1, sizeof(*t->slots));
}

static void fill_slots(struct cct *t)
{
	for (u32 n = 1; n < t->nodes.n; n++) {
		const struct cct_node *nd = &t->nodes.v[n];
		const u32 hash = t->hashes.v[n];
		size_t i = hash & t->mask;

		if (n + MERGE_AHEAD < t->nodes.n)
			cct_fetch(t, t->hashes.v[n + MERGE_AHEAD]);
		while (t->slots[i].node)
			i = (i + 1) & t->mask;
		t->slots[i] = (struct cct_slot){ nd->parent, nd->tag, n, hash };
	}
}

void cct_compact(struct cct *t, const bool *keep, u32 *to, u32 (*tag_of)(void *ctx, u32 tag),
		 void *ctx)
{
	u32 n = 1;

	to[0] = 0;
	for (size_t i = 1; i < t->nodes.n; i++) {	/* parents come before their children */
		struct cct_node nd = t->nodes.v[i];
		u32 hash = t->hashes.v[i];

		if (!keep[i])
			continue;
		nd.parent = to[nd.parent];
		if (tag_of) {
			nd.tag = tag_of(ctx, nd.tag);
			hash = cct_hash(t->hashes.v[nd.parent], nd.tag);
		}
		t->nodes.v[n] = nd;
		t->hashes.v[n] = hash;
		to[i] = n++;
	}
	t->nodes.n = t->hashes.n = n;
	shrink(t);
	fill_slots(t);
}
