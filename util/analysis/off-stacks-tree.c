// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The call tree of a row of off-CPU times. With wakers a stack goes on at its innermost function
 * with who woke the task, and the waker's functions from the innermost one on, as it was next to
 * the wait.
 */
#include <stdlib.h>
#include <string.h>

#include "util/analysis/off-stacks-priv.h"
#include "util/base/xalloc.h"

/* Tags of the tree that is shown: a frame's, or a waker's. */
#define WAKER_TAG 0x80000000U

struct shown {
	const struct off_stacks *o;
	struct cct tree;
	struct off_sum *total, *self;	/* by node */
	u32 *first, *next;		/* children, by node */
	u64 min_ns;
	struct call_tree *out;
};

static u32 below_inner_first(struct shown *s, u32 at, u32 node)
{
	const struct cct_node *nodes = s->o->tree.nodes.v;

	for (; node; node = nodes[node].parent)
		at = cct_child(&s->tree, at, nodes[node].tag);
	return at;
}

static u32 below_outer_first(struct shown *s, u32 at, u32 node)
{
	const struct cct_node *n = &s->o->tree.nodes.v[node];

	if (!node)
		return at;
	at = below_outer_first(s, at, n->parent);
	return cct_child(&s->tree, at, n->tag);
}

static u32 add_stack(struct shown *s, const struct off_entry *e, bool inverted)
{
	u32 at = inverted ? below_inner_first(s, 0, e->node) : below_outer_first(s, 0, e->node);

	if (!e->waker)
		return at;
	at = cct_child(&s->tree, at, WAKER_TAG | (e->waker - 1));
	return below_inner_first(s, at, e->waker_node);
}

static void add_self(struct shown *s, u32 node, const struct off_sum *sum, size_t *n)
{
	if (s->tree.nodes.n > *n) {
		s->self = xrealloc(s->self, s->tree.nodes.n * 2 * sizeof(*s->self));
		memset(s->self + *n, 0, (s->tree.nodes.n * 2 - *n) * sizeof(*s->self));
		*n = s->tree.nodes.n * 2;
	}
	s->self[node].ns += sum->ns;
	s->self[node].n += sum->n;
}

/* Children are linked, and totals added up: a parent stands before its children. */
static void add_up(struct shown *s)
{
	const size_t n = s->tree.nodes.n;

	s->total = xcalloc(n, sizeof(*s->total));
	s->first = xcalloc(n, sizeof(*s->first));
	s->next = xcalloc(n, sizeof(*s->next));
	for (size_t i = n; i-- > 1;) {
		const u32 parent = s->tree.nodes.v[i].parent;

		s->total[i].ns += s->self[i].ns;
		s->total[i].n += s->self[i].n;
		s->total[parent].ns += s->total[i].ns;
		s->total[parent].n += s->total[i].n;
		s->next[i] = s->first[parent];
		s->first[parent] = (u32)i;
	}
	s->total[0].ns += s->self[0].ns;
	s->total[0].n += s->self[0].n;
}

/* The name lives as long as the model. */
static const char *name_of(const struct shown *s, u32 tag)
{
	struct str text = STR_INIT;
	const char *name;
	const u64 *task;

	if (!(tag & WAKER_TAG))
		return s->o->frames.v[tag].name;
	task = idset_at(&s->o->tasks, tag & ~WAKER_TAG);
	str_addf(&text, "[woken by %s %d]", (const char *)(uintptr_t)task[0], (s32)task[2]);
	name = intern_str(s->o->names, str_cstr(&text));
	str_release(&text);
	return name;
}

static int cmp_nodes(const void *a, const void *b, void *ctx)
{
	const struct shown *s = ctx;
	const u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const u64 v = s->total[x].ns, w = s->total[y].ns;

	if (v != w)
		return v > w ? -1 : 1;
	return strcmp(name_of(s, s->tree.nodes.v[x].tag), name_of(s, s->tree.nodes.v[y].tag));
}

/* The node as the tree has it; its own children are still to come. */
static u32 add_node(struct shown *s, u32 node, u32 depth)
{
	const u32 tag = s->tree.nodes.v[node].tag;
	struct call_node *n = vec_add(&s->out->nodes);

	n->name = name_of(s, tag);
	n->inlined = !(tag & WAKER_TAG) && s->o->frames.v[tag].inlined;
	n->value = s->total[node].ns;
	n->count = s->total[node].n;
	n->self = s->self[node].ns;
	n->self_count = s->self[node].n;
	n->depth = depth;
	return (u32)s->out->nodes.n - 1;
}

static void add_level(struct shown *s, u32 node, u32 at, u32 depth)
{
	VEC(u32) kids = { 0 };
	u32 last = 0;
	bool join;

	for (u32 k = s->first[node]; k; k = s->next[k])
		vec_push(&kids, k);
	s->out->nodes.v[at].n_branches = (u32)kids.n;
	join = at && kids.n == 1 && s->total[kids.v[0]].ns == s->total[node].ns &&
		s->total[kids.v[0]].n == s->total[node].n;
	qsort_r(kids.v, kids.n, sizeof(u32), cmp_nodes, s);
	for vec_each(k, &kids) {
		u32 id;

		if (s->total[*k].ns < s->min_ns)
			break;
		id = add_node(s, *k, depth);
		s->out->nodes.v[id].joined = join;
		if (last)
			s->out->nodes.v[last].next = id;
		else
			s->out->nodes.v[at].first_child = id;
		last = id;
		add_level(s, *k, id, depth + 1);
	}
	vec_free(&kids);
}

void off_stacks_tree(const struct off_stacks *o, const struct off_row *row,
		     const struct off_table_opts *opts, struct call_tree *out)
{
	struct shown s = { .o = o, .out = out,
			   .min_ns = u64_of((double)o->total_ns * opts->min_pct / 100) };
	struct call_node *root;
	size_t n_self = 0;

	cct_init(&s.tree);
	for (u32 i = row->first; i != OFF_NO_ENTRY; i = o->entries.v[i].next) {
		const u32 node = add_stack(&s, &o->entries.v[i], opts->inverted);

		add_self(&s, node, &o->entries.v[i].sum, &n_self);
	}
	add_up(&s);
	out->total = row->sum.ns;
	out->total_count = row->sum.n;
	root = vec_add(&out->nodes);
	root->value = row->sum.ns;
	root->count = row->sum.n;
	root->self = s.self[0].ns;
	root->self_count = s.self[0].n;
	add_level(&s, 0, 0, 0);
	free(s.self);
	free(s.total);
	free(s.first);
	free(s.next);
	cct_release(&s.tree);
}

void off_stacks_folded(const struct off_stacks *o, u32 node, struct str *out)
{
	const struct cct_node *n = &o->tree.nodes.v[node];

	if (!node)
		return;
	off_stacks_folded(o, n->parent, out);
	if (n->parent)
		str_addch(out, ';');
	str_add_folded(out, o->frames.v[n->tag].name);
}
