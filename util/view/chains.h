/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_CHAINS_H
#define VIEW_CHAINS_H
/*
 * The stacks that a call tree is made of, one by one (-g flat, folded). Pure.
 */
#include "util/analysis/hist/hist.h"

/* end: its last frame; what ended there. Of equal ones those that go on from another come before
 * it, as upstream perf has it. */
struct view_chain { u32 end, nr; u64 value, count; };

struct view_chains {
	VEC(struct view_chain) v;	/* the heaviest first */
	u32 *up;			/* by node: the frame before it; 0: none */
};

/* Those that are above the chain's limit, print_limit at most; total: what 100 % is. */
void view_chains_init(struct view_chains *c, const struct call_tree *t, const struct chain_opts *o,
		      u64 total);
void view_chains_release(struct view_chains *c);	/* safe on a zeroed one */
/* Frames of the chain from the first to its end, appended to out. */
typedef VEC(u32) view_path;
void view_chain_path(const struct view_chains *c, u32 end, view_path *out);

#endif
