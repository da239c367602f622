// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/hist/hist-priv.h"
#include "util/base/hash.h"

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
	s->slots = xcalloc(slots, sizeof(*s->slots));
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
	t->mask = 1023;
	t->slots = xcalloc(t->mask + 1, sizeof(*t->slots));
}

void cct_release(struct cct *t)
{
	vec_free(&t->nodes);
	free(t->slots);
	t->slots = NULL;
}

static inline size_t node_hash(u32 parent, u32 tag)
{
	u64 x = ((u64)parent << 32 | tag) * 0x9e3779b97f4a7c15ULL;

	return x ^ x >> 29;
}

static void cct_grow(struct cct *t)
{
	size_t slots = (t->mask + 1) * 2;

	free(t->slots);
	t->slots = xcalloc(slots, sizeof(*t->slots));
	t->mask = slots - 1;
	for (size_t n = 1; n < t->nodes.n; n++) {
		size_t i = node_hash(t->nodes.v[n].parent, t->nodes.v[n].tag) & t->mask;

		while (t->slots[i])
			i = (i + 1) & t->mask;
		t->slots[i] = (u32)n;
	}
}

u32 cct_child(struct cct *t, u32 parent, u32 tag)
{
	size_t i = node_hash(parent, tag) & t->mask;

	for (u32 n; (n = t->slots[i]); i = (i + 1) & t->mask)
		if (t->nodes.v[n].parent == parent && t->nodes.v[n].tag == tag)
			return n;
	vec_push(&t->nodes, ((struct cct_node){ .parent = parent, .tag = tag }));
	t->slots[i] = (u32)t->nodes.n - 1;
	if (t->nodes.n > (t->mask + 1) / 4 * 3)
		cct_grow(t);
	return (u32)t->nodes.n - 1;
}

void cct_merge(struct cct *into, const struct cct *from)
{
	u32 *map = xcalloc(from->nodes.n, sizeof(*map));

	/* parents come before their children */
	for (size_t n = 1; n < from->nodes.n; n++) {
		const struct cct_node *f = &from->nodes.v[n];
		struct cct_node *to;

		map[n] = cct_child(into, map[f->parent], f->tag);
		to = &into->nodes.v[map[n]];
		to->self += f->self;
		to->self_n += f->self_n;
	}
	free(map);
}
