/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HIST_CCT_H
#define ANALYSIS_HIST_CCT_H
/*
 * The calling-context tree: each distinct stack is a node, found by its parent and a tag, which
 * whoever makes the tree gives a meaning. And dense ids for tuples. Not locked.
 */
#include "util/base/hash.h"
#include "util/base/vec.h"

/* Tuples of "width" words <-> dense ids from 0. Not locked. */
struct idset {
	unsigned width;
	u64 *words;		/* n * width */
	u32 *slots;		/* id + 1 */
	size_t n, cap, mask;
};
void idset_init(struct idset *s, unsigned width);
void idset_release(struct idset *s);
u32 idset_get(struct idset *s, const u64 *tuple);
static inline const u64 *idset_at(const struct idset *s,
				  u32 id) { return s->words + (size_t)id * s->width; }

/* Node 0 is above all others. */
struct cct_node { u32 parent, tag; u64 self, self_n; };
/* the key beside the number: looking for a node touches none */
struct cct_slot { u32 parent, tag, node, hash; };
struct cct {
	VEC(struct cct_node) nodes;
	VEC(u32) hashes;	/* by node */
	struct cct_slot *slots;	/* node 0: empty */
	size_t mask;
};
void cct_init(struct cct *t);
void cct_release(struct cct *t);
/* Nodes are found by a hash of all tags from the root on, not of the parent's number: where they
 * are looked for is known, and fetched, for a whole chain before the first of it is found. */
static inline u32 cct_hash(u32 parent_hash, u32 tag)
{
	return hash_mul(parent_hash ^ hash_mul(tag));
}
static inline void cct_fetch(const struct cct *t,
			     u32 hash) { __builtin_prefetch(&t->slots[hash & t->mask]); }
u32 cct_child(struct cct *t, u32 parent, u32 tag);	/* finds or makes */
u32 cct_child_at(struct cct *t, u32 parent, u32 tag, u32 hash);	/* the same with its cct_hash() */
void cct_merge(struct cct *into, const struct cct *from);
/* Nodes of which keep[] says so stay (their parents do, too), with the tag that tag_of has for
 * theirs (NULL: the same one); no two children of a node get the same. to[]: their new number, by
 * the old one. */
void cct_compact(struct cct *t, const bool *keep, u32 *to, u32 (*tag_of)(void *ctx, u32 tag),
		 void *ctx);

#endif
