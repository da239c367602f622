// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/chains.h"

#include "util/base/num.h"

static int cmp_chain(const void *pa, const void *pb)
{
	const struct view_chain *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return a->nr < b->nr ? -1 : a->nr > b->nr;
}

static void collect(struct view_chains *c, const struct call_tree *t, u32 parent, u64 min)
{
	for (u32 k = t->nodes.v[parent].first_child; k; k = t->nodes.v[k].next) {
		const struct call_node *n = &t->nodes.v[k];

		c->up[k] = parent;
		collect(c, t, k, min);
		if (n->self_count && n->self >= min)
			vec_push(&c->v, ((struct view_chain){ .end = k, .value = n->self,
							      .count = n->self_count,
							      .nr = (u32)c->v.n }));
	}
}

void view_chains_init(struct view_chains *c, const struct call_tree *t, const struct chain_opts *o,
		      u64 total)
{
	*c = (struct view_chains){ .up = xcalloc(t->nodes.n + 1, sizeof(*c->up)) };
	if (!t->nodes.n)
		return;
	collect(c, t, 0, u64_of((double)total * o->min_pct / 100));
	if (c->v.n)
		qsort(c->v.v, c->v.n, sizeof(*c->v.v), cmp_chain);
	if (o->print_limit && c->v.n > o->print_limit)
		c->v.n = o->print_limit;
}

void view_chains_release(struct view_chains *c)
{
	vec_free(&c->v);
	free(c->up);
	*c = (struct view_chains){ 0 };
}

void view_chain_path(const struct view_chains *c, u32 end, view_path *out)
{
	const size_t first = out->n;

	for (u32 n = end; n; n = c->up[n])
		vec_push(out, n);
	for (size_t a = first, b = out->n; a + 1 < b; a++) {
		const u32 t = out->v[a];

		out->v[a] = out->v[--b];
		out->v[b] = t;
	}
}
