// SPDX-License-Identifier: GPL-2.0-or-later
// Stacks from their innermost frames on.
#include "util/analysis/flame/flame-priv.h"

/* The node of a stack that ends at the node of t. */
static u32 reversed(const struct flame_tree *t, struct cct *out, u32 node)
{
	u32 to = 0;

	for (; node; node = t->nodes.v[node].parent)
		to = cct_child(out, to, t->nodes.v[node].frame);
	return to;
}

void flame_reverse(const struct flame_tree *t, struct flame_tree *out)
{
	VEC(struct flame_sum) sums = { 0 };
	u32 *node = xcalloc(t->nodes.n, sizeof(*node)), *number;
	struct cct all;

	*out = (struct flame_tree){ .first_ns = t->first_ns, .last_ns = t->last_ns,
				    .slice_ns = t->slice_ns, .n_samples = t->n_samples,
				    .period = t->period, .joined = t->joined };
	for vec_each(f, &t->frames)
		vec_push(&out->frames, *f);
	for vec_each(l, &t->tracks)
		vec_push(&out->tracks, *l);
	cct_init(&all);
	for vec_each(s, &t->sums)
		if (!node[s->node])
			node[s->node] = reversed(t, &all, s->node);
	number = xcalloc(all.nodes.n, sizeof(*number));
	flame_order_nodes(&all, out, number);
	for vec_each(s, &t->sums) {
		struct flame_sum sum = *s;

		sum.node = number[node[s->node]];
		vec_push(&sums, sum);
	}
	flame_add_sums(out, sums.v, sums.n);
	vec_free(&sums);
	free(number);
	free(node);
	cct_release(&all);
}
