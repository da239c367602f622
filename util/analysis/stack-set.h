/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_STACK_SET_H
#define ANALYSIS_STACK_SET_H
/*
 * Call chains, each distinct one once, and call trees of what was counted in some of them. Frames
 * of one name are one; or, by_symbol, those of one symbol are, and unknown ones are their
 * addresses. For analyses that count something else than samples; the histogram has its own. One
 * owner; zeroed memory is safe to release.
 */
#include "util/analysis/hist/cct.h"
#include "util/base/arena.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

/* by_symbol: text may be NULL; file is the number of its dso, -1: none; start: of the symbol */
struct stack_name { const char *text; bool inlined; int file; u64 start, va; };

struct stack_set {
	bool by_symbol;			/* set before the first frame */
	struct intern *names;
	struct idset places;		/* what a frame was made of: symbol or inlined, ... */
	/* by_symbol: a frame for each place, else one for each name */
	VEC(u32) place_frame;		/* by place: its frame */
	struct idset frame_ids;		/* name, inlined */
	VEC(struct stack_name) frames;
	struct cct tree;		/* root first; tags: frames. Node 0: no frame */
	struct hmap nodes;		/* hash of a chain -> node + 1 */
};

void stack_set_init(struct stack_set *s);
void stack_set_release(struct stack_set *s);
/* The node of the chain from its frame "from" on (0: innermost). */
u32 stack_set_node(struct stack_set *s, const struct resolved *r, u32 from);
/* A frame that is only a text. */
u32 stack_set_frame(struct stack_set *s, const char *text, bool inlined);
/* "main;work;schedule" */
void stack_set_folded(const struct stack_set *s, u32 node, struct str *out);

/* A call tree:
 *	stack_tree_init(&t, set);
 *	at = stack_tree_add(&t, 0, node, inverted);	// chains go on below any node
 *	at = cct_child(&t.tree, at, frame);
 *	stack_tree_count(&t, at, ns, n);
 *	stack_tree_finish(&t, min, out);		// releases it
 * Branches below min are left out. Names live as long as the set. */
struct stack_sum { u64 value, n; };
struct stack_tree {
	const struct stack_set *set;
	struct cct tree;
	VEC(struct stack_sum) self;	/* by node, of those that were counted */
	/* set after init: branches below this part of what goes on below their parent (not the
	 * first ones) are left out, too */
	double min_pct;
};
void stack_tree_init(struct stack_tree *t, const struct stack_set *set);
u32 stack_tree_add(struct stack_tree *t, u32 at, u32 node, bool inner_first);
void stack_tree_count(struct stack_tree *t, u32 at, u64 value, u64 n);
void stack_tree_finish(struct stack_tree *t, u64 min, struct call_tree *out);

#endif
