// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the branches in call chains tell: of each node where samples ended, the counts of all nodes
 * above it. Two samples with the same branches may be of two rows, so it is not kept by the nodes
 * themselves.
 */
#include "util/analysis/hist/hist-priv.h"

struct branch_path {
	u32 depth;			/* of the end: nodes below the root */
	struct branch_counts v[];	/* by depth, from 1 on, at depth - 1 */
};

void branch_counts_add(struct branch_counts *to, const struct branch_counts *add)
{
	to->targets += add->targets;
	to->predicted += add->predicted;
	to->aborts += add->aborts;
	to->sources += add->sources;
	to->cycles += add->cycles;
	to->rounds += add->rounds;
	to->round_cycles += add->round_cycles;
	to->calls += add->calls;
}

void branch_counts_take(struct branch_counts *from, const struct branch_counts *take)
{
	from->targets -= take->targets;
	from->predicted -= take->predicted;
	from->aborts -= take->aborts;
	from->sources -= take->sources;
	from->cycles -= take->cycles;
	from->rounds -= take->rounds;
	from->round_cycles -= take->round_cycles;
	from->calls -= take->calls;
}

u32 branch_depth(const struct cct_node *nodes, u32 node)
{
	u32 depth = 0;

	for (; node && !(nodes[node].tag & TAG_ROOT); node = nodes[node].parent)
		depth++;
	return depth;
}

static void count_end(struct branch_counts *c, const struct branch_end *e)
{
	if (e->to) {
		c->targets++;
		c->predicted += e->branch->predicted;
		c->aborts += e->branch->abort;
		return;
	}
	c->sources++;
	c->cycles += e->branch->cycles;
	c->rounds += e->rounds;
	c->round_cycles += e->round_cycles;
}

static struct branch_path *path_to(struct worker *w, u32 end)
{
	struct branch_path *p = hmap_get(&w->branches, end);
	u32 depth;

	if (p)
		return p;
	depth = branch_depth(w->tree.nodes.v, end);
	p = arena_alloc(&w->arena, sizeof(*p) + depth * sizeof(*p->v));
	p->depth = depth;
	hmap_put(&w->branches, end, p);
	return p;
}

void branch_counts_sample(struct worker *w, const struct resolved *r, u32 first, u32 last,
			  const struct path *path)
{
	struct branch_path *p = path_to(w, w->last_node);
	const struct cct_node *nodes = w->tree.nodes.v;
	const u32 n = last - first;
	u32 depth = 0;

	for (u32 k = 0; k < n; k++) {
		const u32 frame = last - 1 - k, node = path->e[k].node;
		const u32 end = frame - r->first_end;

		/* frames without a name may be left out */
		if (k && node == path->e[k - 1].node)
			continue;
		if (!k)
			depth = branch_depth(nodes, node);
		for (u32 at = node; k && at != path->e[k - 1].node; at = nodes[at].parent)
			depth++;
		if (!depth)
			continue;
		if (frame >= r->first_end && end < r->n_ends)
			count_end(&p->v[depth - 1], &r->ends[end]);
		else
			p->v[depth - 1].calls++;
	}
}

void branch_counts_merge(struct worker *into, const struct worker *from, const u32 *map)
{
	for (u32 n = 1; n < from->tree.nodes.n; n++) {
		const struct branch_path *p = hmap_get(&from->branches, n);
		struct branch_path *to = p ? path_to(into, map[n]) : NULL;

		for (u32 i = 0; to && i < p->depth; i++)
			branch_counts_add(&to->v[i], &p->v[i]);
	}
}

const struct branch_counts *branch_counts_at(const struct hist *h, u32 end, u32 depth)
{
	const struct branch_path *p = hmap_get(&h->main->branches, end);

	return p && depth && depth <= p->depth ? &p->v[depth - 1] : NULL;
}

/* What of a stack hangs below node, which is one of its nodes. */
static void add_below(const struct hist *h, u32 node, u32 depth, struct branch_counts *out)
{
	const struct branch_counts *c = branch_counts_at(h, node, depth);

	if (c)
		branch_counts_add(out, c);
	for (u32 k = h->first_child[node]; k; k = h->next[k])
		add_below(h, k, depth, out);
}

void branch_counts_below(const struct hist *h, u32 node, u32 depth, struct branch_counts *out)
{
	add_below(h, node, depth, out);
}

void branch_totals_make(struct hist *h)
{
	const struct worker *w = h->main;
	const u32 n = (u32)w->tree.nodes.n;

	branch_totals_free(h);
	if (!h->branches.want)
		return;
	h->branches.at = xcalloc(n, sizeof(*h->branches.at));
	h->branches.below = xcalloc(n, sizeof(*h->branches.below));
	for (u32 i = n; i-- > 1;) {	/* parents come before their children */
		const struct branch_path *p = hmap_get(&w->branches, i);
		u32 node = i;

		for (u32 d = p ? p->depth : 0; d > 0; d--, node = w->tree.nodes.v[node].parent) {
			branch_counts_add(&h->branches.at[node], &p->v[d - 1]);
			branch_counts_add(&h->branches.below[i], &p->v[d - 1]);
		}
		branch_counts_add(&h->branches.below[w->tree.nodes.v[i].parent],
				  &h->branches.below[i]);
	}
}

void branch_totals_row(const struct hist *h, u32 node, bool below, struct branch_counts *out)
{
	const struct branch_path *p = below ? NULL : hmap_get(&h->main->branches, node);

	if (below)
		branch_counts_add(out, &h->branches.below[node]);
	for (u32 i = 0; p && i < p->depth; i++)
		branch_counts_add(out, &p->v[i]);
}

void branch_totals_free(struct hist *h)
{
	free(h->branches.at);
	free(h->branches.below);
	h->branches.at = h->branches.below = NULL;
}

/* ---- whole paths ---- */

static void add_path(const struct hist *h, u32 end, const struct branch_path *p,
		     hist_branch_paths *out)
{
	const struct cct_node *v = h->main->tree.nodes.v;
	struct hist_branch_path *to = vec_add(out);
	u32 node = end;

	to->self = (struct hist_total){ v[end].self, v[end].self_n };
	for (u32 d = p->depth; d > 0; d--, node = v[node].parent)
		if (!(v[node].tag & (TAG_ROOT | TAG_LEAF)))
			vec_push(&to->steps, ((struct hist_branch_step){
				(const void *)(uintptr_t)idset_at(&h->sh.locs, v[node].tag)[0],
				&p->v[d - 1] }));
}

void hist_branch_paths_get(const struct hist *h, const struct event *e, hist_branch_paths *out)
{
	const struct cct_node *v = h->main->tree.nodes.v;
	const u32 n = (u32)h->main->tree.nodes.n;
	int *event = xcalloc(n, sizeof(*event));

	for (u32 i = 1; i < n; i++) {
		const struct branch_path *p = hmap_get(&h->main->branches, i);

		event[i] = v[i].tag & TAG_ROOT ?
			(int)idset_at(&h->sh.roots, v[i].tag & ~TAG_ROOT)[1] : event[v[i].parent];
		if (p && v[i].self_n && event[i] == e->index)
			add_path(h, i, p, out);
	}
	free(event);
}

void hist_branch_paths_release(hist_branch_paths *v)
{
	for vec_each(p, v)
		vec_free(&p->steps);
	vec_free(v);
}
