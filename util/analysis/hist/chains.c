// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The call tree of one row, derived from the calling-context tree level by level: a level is a set
 * of tree nodes with weights, its children are grouped by frame, and only groups above the limit go
 * on. So a row costs what it shows.
 *
 * Caller order (outermost first). Stacks that end in the row are shown whole, from their root
 * (PATH); stacks that pass through it are shown from its outermost frame on (BELOW). mark[] is the
 * weight of the row's own stacks through a node; so PATH goes on with mark[child] and BELOW with
 * total[child] - mark[child].
 *
 * Callee order (innermost first). A stack is shown from the row's innermost frame up to the root.
 */
#include "util/analysis/hist/hist-priv.h"

enum { PATH, BELOW, UP };

/* id: of the frame, dense. UP, with branches: start: what stands for the stacks; depth: of the
 * node. */
struct elem { u32 id, node; u64 w, n; u32 start; u16 depth; u8 mode; };
typedef VEC(struct elem) elem_vec;

struct group { u32 id; u32 n; u64 w, count; const struct hist_sym *sym; elem_vec elems; };
typedef VEC(struct group) group_vec;

/* node -> weight, cleared between rows: of a row are those with its number */
struct marks {
	struct mark { u32 node, nr; u64 w, n; u32 ends; } *slots;
	size_t used, mask;
	u32 nr;
};

/* What rows are made with, one after the other. */
struct row_scratch {
	struct marks marks;
	VEC(struct branch_counts) ends;	/* of marks: mark.ends - 1 */
	struct group *by_id;	/* weights of one level by frame id; count 0 between levels */
};

struct chain_ctx {
	const struct hist *h;
	const struct cct_node *nodes;
	const struct chain_opts *opts;
	u64 min_value;		/* graph and others; fractal: by the parent */
	struct call_tree *out;
	struct marks *marks;
	struct group *by_id;
	struct row_scratch *scratch;
};

static struct mark *mark_slot(struct marks *m, u32 node)
{
	size_t i = hash_mul(node) & m->mask;

	while (m->slots[i].nr == m->nr && m->slots[i].node != node)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

static struct mark *mark_add(struct marks *m, u32 node, u64 w, u64 n)
{
	struct mark *s;

	if (!m->slots || m->used >= (m->mask + 1) / 2) {
		struct marks old = *m;

		m->mask = old.slots ? old.mask * 2 + 1 : 255;
		m->slots = xcalloc(m->mask + 1, sizeof(*m->slots));
		for (size_t i = 0; old.slots && i <= old.mask; i++)
			if (old.slots[i].nr == m->nr)
				*mark_slot(m, old.slots[i].node) = old.slots[i];
		free(old.slots);
	}
	s = mark_slot(m, node);
	if (s->nr != m->nr) {
		*s = (struct mark){ .node = node, .nr = m->nr };
		m->used++;
	}
	s->w += w;
	s->n += n;
	return s;
}

static const struct mark *mark_get(const struct marks *m, u32 node)
{
	const struct mark *s;

	if (!m->slots)
		return NULL;
	s = mark_slot((struct marks *)m, node);
	return s->nr == m->nr ? s : NULL;
}

static bool is_frame(const struct cct_node *n) { return !(n->tag & (TAG_ROOT | TAG_LEAF)); }

static const struct hist_sym *sym_of(const struct chain_ctx *c, u32 node)
{
	return (const struct hist_sym *)(uintptr_t)idset_at(&c->h->sh.locs, c->nodes[node].tag)[0];
}

static void push(const struct chain_ctx *c, elem_vec *v, u32 node, u8 mode, u64 w, u64 n)
{
	if (n)
		vec_push(v, ((struct elem){ .id = c->h->loc_chain.v[c->nodes[node].tag],
					    .node = node, .mode = mode, .w = w, .n = n }));
}

/* ---- branches ---- */

/* Of the row's own stacks: what their end tells of the node that is marked. */
static void mark_ends(struct chain_ctx *c, struct mark *m, u32 end, u32 depth)
{
	const struct branch_counts *counts = branch_counts_at(c->h, end, depth);

	if (!counts)
		return;
	if (!m->ends) {
		vec_add(&c->scratch->ends);
		m->ends = (u32)c->scratch->ends.n;
	}
	branch_counts_add(&c->scratch->ends.v[m->ends - 1], counts);
}

static void add_ends(const struct chain_ctx *c, const struct elem *e, struct branch_counts *out)
{
	const struct mark *m = e->mode == UP ? NULL : mark_get(c->marks, e->node);
	const struct branch_counts *own = m && m->ends ? &c->scratch->ends.v[m->ends - 1] : NULL;
	const struct branch_counts *at;

	if (e->mode == BELOW) {
		branch_counts_add(out, &c->h->branches.at[e->node]);
		if (own)
			branch_counts_take(out, own);
	} else if (e->mode == PATH && own) {
		branch_counts_add(out, own);
	} else if (e->mode == UP && c->h->opts.children) {
		branch_counts_below(c->h, e->start, e->depth, out);
	} else if (e->mode == UP) {
		at = branch_counts_at(c->h, e->start, e->depth);
		if (at)
			branch_counts_add(out, at);
	}
}

static u32 group_ends(struct chain_ctx *c, const struct group *g)
{
	struct branch_counts *out;

	if (!c->h->branches.want)
		return 0;
	out = vec_add(&c->out->ends);
	for vec_each(e, &g->elems)
		add_ends(c, e, out);
	return (u32)c->out->ends.n;
}

static void push_children(const struct chain_ctx *c, const struct elem *e, elem_vec *v)
{
	if (e->mode == UP) {
		u32 p = c->nodes[e->node].parent;

		if (!is_frame(&c->nodes[p]))
			return;
		push(c, v, p, UP, e->w, e->n);
		vec_last(v)->start = e->start;
		vec_last(v)->depth = (u16)(e->depth - 1);
		return;
	}
	for (u32 k = c->h->first_child[e->node]; k; k = c->h->next[k]) {
		const struct mark *m = mark_get(c->marks, k);
		const struct hist_total *t = &c->h->total[k];

		if (!is_frame(&c->nodes[k]))
			continue;
		if (e->mode == PATH && m)
			push(c, v, k, PATH, m->w, m->n);
		else if (e->mode == BELOW)
			push(c, v, k, BELOW, t->period - (m ? m->w : 0), t->n - (m ? m->n : 0));
	}
}

static int cmp_u64(u64 a, u64 b) { return a < b ? -1 : a > b; }

/* Equal weights: higher addresses first within a file, as upstream perf has it; nothing may
 * depend on ids. */
static int cmp_syms(const struct hist_sym *a, const struct hist_sym *b)
{
	int c = 0;

	if (!a->name != !b->name)
		return a->name ? -1 : 1;
	if (a->dso != b->dso)
		c = !a->dso ? 1 : !b->dso ? -1 : b->dso->index - a->dso->index;
	if (!c && a->sym && b->sym)
		c = cmp_u64(b->sym->start_rva, a->sym->start_rva);
	if (!c && a->name)
		c = strcmp(a->name, b->name);
	if (!c)
		c = cmp_u64(b->va, a->va);
	return c ? c : cmp_u64(b->rva, a->rva);
}

static int cmp_group(const void *pa, const void *pb)
{
	const struct group *a = pa, *b = pb;

	return a->w != b->w ? (a->w > b->w ? -1 : 1) : cmp_syms(a->sym, b->sym);
}

/* Adds up the candidates of one level by frame. */
static void make_groups(struct chain_ctx *c, const elem_vec *v, group_vec *out)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct elem *e = &v->v[i];
		struct group *g = &c->by_id[e->id];

		if (!g->count) {
			g->n = (u32)out->n;
			vec_push(out, ((struct group){ .id = e->id, .sym = sym_of(c, e->node) }));
		}
		g->count += e->n;
		g->w += e->w;
	}
	for (size_t i = 0; i < out->n; i++) {
		struct group *g = &c->by_id[out->v[i].id];

		out->v[i].w = g->w;
		out->v[i].count = g->count;
	}
}

/* Hands the candidates of groups that go on to their groups, drops the other groups, orders what
 * is left. */
static void keep_groups(struct chain_ctx *c, const elem_vec *v, group_vec *groups, u64 min)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->n; i++) {
		const struct elem *e = &v->v[i];

		if (c->by_id[e->id].w >= min)
			vec_push(&groups->v[c->by_id[e->id].n].elems, *e);
	}
	for (size_t i = 0; i < groups->n; i++) {
		c->by_id[groups->v[i].id] = (struct group){ 0 };
		if (groups->v[i].w >= min)
			groups->v[kept++] = groups->v[i];
	}
	groups->n = kept;
	if (kept > 1)
		qsort(groups->v, kept, sizeof(*groups->v), cmp_group);
}

static u32 add_node(struct chain_ctx *c, const struct group *g, u32 depth)
{
	struct call_node *n = vec_add(&c->out->nodes);

	*n = (struct call_node){ .name = g->sym->name, .what = g->sym, .inlined = g->sym->inlined,
				 .va = g->sym->va, .value = g->w, .count = g->count,
				 .depth = depth, .ends = group_ends(c, g) };
	return (u32)c->out->nodes.n - 1;
}

/* Makes the children of tree node "at" from the candidates in v (which it frees), and what is
 * below them. */
static void add_level(struct chain_ctx *c, u32 at, elem_vec *v, u32 depth)
{
	group_vec groups = { 0 };
	struct call_node *parent = &c->out->nodes.v[at];
	u64 min = c->min_value, left = parent->value, left_n = parent->count;
	u32 last = 0;
	bool join;

	make_groups(c, v, &groups);
	join = at && groups.n == 1 && groups.v[0].w == left && groups.v[0].count == left_n;
	for vec_each(g, &groups) {
		left -= g->w;
		left_n -= g->count;
	}
	parent->self = left;
	parent->self_count = left_n;
	parent->n_branches = (u32)groups.n;
	if (c->opts->mode == CHAIN_FRACTAL)
		min = u64_of((double)(parent->value - left) * c->opts->min_pct / 100);
	keep_groups(c, v, &groups, min);
	vec_free(v);
	for vec_each(g, &groups) {
		u32 id = add_node(c, g, depth);
		elem_vec below = { 0 };

		c->out->nodes.v[id].joined = join;
		if (last)
			c->out->nodes.v[last].next = id;
		else
			c->out->nodes.v[at].first_child = id;
		last = id;
		for vec_each(e, &g->elems)
			push_children(c, e, &below);
		vec_free(&g->elems);
		add_level(c, id, &below, depth + 1);
	}
	vec_free(&groups);
}

/* ---- where the chains of a row begin ---- */

static u32 chain_end(const struct chain_ctx *c, u32 node)
{
	return c->nodes[node].tag & TAG_LEAF ? c->nodes[node].parent : node;
}

static u32 depth_of(const struct chain_ctx *c, u32 node)
{
	return c->h->branches.want ? branch_depth(c->nodes, node) : 0;
}

/* stack: the node that stands for the stacks. */
static void push_up(const struct chain_ctx *c, elem_vec *v, u32 node, u32 stack, u64 w, u64 n)
{
	if (!n)
		return;
	push(c, v, node, UP, w, n);
	vec_last(v)->start = stack;
	vec_last(v)->depth = (u16)depth_of(c, node);
}

static u32 nearest_above(const struct chain_ctx *c, u32 node, u32 row)
{
	for (u32 p = c->nodes[node].parent; p && !(c->nodes[p].tag & TAG_ROOT);
	     p = c->nodes[p].parent)
		if ((c->h->node_row[p] & ROW_MASK) == row)
			return p;
	return 0;
}

static u32 root_of(const struct chain_ctx *c, u32 node)
{
	while (!(c->nodes[node].tag & TAG_ROOT))
		node = c->nodes[node].parent;
	return node;
}

static void start_caller(struct chain_ctx *c, const u32 *list, size_t n, elem_vec *v)
{
	elem_vec root = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct cct_node *s = &c->nodes[list[i]];

		if (!s->self_n)
			continue;
		for (u32 p = chain_end(c, list[i]), d = depth_of(c, p);
		     !(c->nodes[p].tag & TAG_ROOT); p = c->nodes[p].parent, d--) {
			struct mark *m = mark_add(c->marks, p, s->self, s->self_n);

			if (c->h->branches.want)
				mark_ends(c, m, list[i], d);
		}
	}
	if (n) {
		vec_push(&root, ((struct elem){ .node = root_of(c, list[0]), .mode = PATH }));
		push_children(c, root.v, v);
		vec_free(&root);
	}
	for (size_t i = 0; c->h->opts.children && i < n; i++) {
		const struct mark *m = mark_get(c->marks, list[i]);
		const struct hist_total *t = &c->h->total[list[i]];

		if (is_frame(&c->nodes[list[i]]) && c->h->node_row[list[i]] & ROW_OUTER)
			push(c, v, list[i], BELOW, t->period - (m ? m->w : 0),
			     t->n - (m ? m->n : 0));
	}
}

static void start_callee(struct chain_ctx *c, const u32 *list, size_t n, u32 row, elem_vec *v)
{
	/* by node: the weight of nested occurrences, which begin their chains themselves */
	for (size_t i = 0; c->h->opts.children && i < n; i++) {
		u32 above = nearest_above(c, list[i], row);

		if (above)
			mark_add(c->marks, above, c->h->total[list[i]].period,
				 c->h->total[list[i]].n);
	}
	for (size_t i = 0; i < n; i++) {
		const struct cct_node *s = &c->nodes[list[i]];
		u32 start = chain_end(c, list[i]);
		const struct mark *m = mark_get(c->marks, list[i]);
		const struct hist_total *t = &c->h->total[list[i]];

		if (c->nodes[start].tag & TAG_ROOT)
			continue;
		if (c->h->opts.children)
			push_up(c, v, start, list[i], t->period - (m ? m->w : 0),
				t->n - (m ? m->n : 0));
		else
			push_up(c, v, start, list[i], s->self, s->self_n);
	}
}

void hist_row_tree(const struct hist *h, const struct row_nodes *rn, u32 row,
		   const struct chain_opts *opts, u64 total,
		   struct row_scratch *scratch, struct call_tree *out)
{
	struct chain_ctx c = { .h = h, .nodes = h->main->tree.nodes.v, .opts = opts,
			       .by_id = scratch->by_id, .marks = &scratch->marks, .out = out,
			       .scratch = scratch,
			       .min_value = u64_of((double)total * opts->min_pct / 100) };
	const u32 *list = rn->list + rn->start[row - 1];
	size_t n = rn->start[row] - rn->start[row - 1];
	elem_vec v = { 0 };
	struct call_node *root = vec_add(&out->nodes);

	c.marks->nr++;
	c.marks->used = 0;
	scratch->ends.n = 0;
	if (opts->caller)
		start_caller(&c, list, n, &v);
	else
		start_callee(&c, list, n, row, &v);
	for (size_t i = 0; i < v.n; i++) {
		root->value += v.v[i].w;
		root->count += v.v[i].n;
	}
	out->total = root->value;
	out->total_count = root->count;
	add_level(&c, 0, &v, 0);
}

struct row_scratch *row_scratch_new(const struct hist *h)
{
	struct row_scratch *s = xnew(struct row_scratch);

	s->by_id = xcalloc(h->chain_ids.n + 1, sizeof(*s->by_id));
	return s;
}

void row_scratch_free(struct row_scratch *s)
{
	if (!s)
		return;
	free(s->by_id);
	free(s->marks.slots);
	vec_free(&s->ends);
	free(s);
}

void row_nodes_init(struct row_nodes *rn, const struct hist *h)
{
	size_t n_rows = 0, n = h->main->tree.nodes.n;
	u32 *at;

	for (size_t e = 0; e < h->n_events; e++)
		n_rows += h->by_event[e].rows.n;
	rn->start = xcalloc(n_rows + 2, sizeof(u32));
	for (size_t i = 1; i < n; i++)
		rn->start[h->node_row[i] & ROW_MASK]++;
	rn->start[0] = 0;	/* nodes of no row */
	for (size_t r = 1; r <= n_rows; r++)
		rn->start[r] += rn->start[r - 1];
	rn->list = xcalloc((size_t)rn->start[n_rows] + 1, sizeof(u32));
	at = xcalloc(n_rows + 1, sizeof(u32));
	for (size_t i = 1; i < n; i++)
		if (h->node_row[i]) {
			u32 r = h->node_row[i] & ROW_MASK;

			rn->list[rn->start[r - 1] + at[r]++] = (u32)i;
		}
	free(at);
}

void row_nodes_release(struct row_nodes *rn)
{
	free(rn->start);
	free(rn->list);
	memset(rn, 0, sizeof(*rn));
}
