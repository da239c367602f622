// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/stack-set.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/stream/frame.h"

void stack_set_init(struct stack_set *s)
{
	memset(s, 0, sizeof(*s));
	s->names = intern_new();
	idset_init(&s->places, 4);
	idset_init(&s->frame_ids, 2);
	cct_init(&s->tree);
}

void stack_set_release(struct stack_set *s)
{
	if (!s->names)
		return;
	intern_free(s->names);
	idset_release(&s->places);
	idset_release(&s->frame_ids);
	cct_release(&s->tree);
	hmap_release(&s->nodes);
	vec_free(&s->place_frame);
	vec_free(&s->frames);
	s->names = NULL;
}

u32 stack_set_frame(struct stack_set *s, const char *text, bool inlined)
{
	const char *name = intern_str(s->names, text);
	const u32 id = idset_get(&s->frame_ids, (u64[]){ (u64)(uintptr_t)name, inlined });

	if (id == s->frames.n)
		vec_push(&s->frames, ((struct stack_name){ .text = name,
								.inlined = inlined }));
	return id;
}

/* Inlined functions are one wherever they are in the same one. */
static u32 symbol_frame(struct stack_set *s, const struct location *f)
{
	const char *name = frame_function(f);
	const bool inlined = f->inline_depth > 0;
	const u64 place[4] = { (u64)(uintptr_t)f->sym,
			       inlined ? (u64)(uintptr_t)intern_str(s->names, name ? name : "??") :
			       0, (u64)(uintptr_t)f->dso, f->sym || inlined ? 0 : f->va };
	const u32 id = idset_get(&s->places, place);

	if (id == s->frames.n)
		vec_push(&s->frames, ((struct stack_name){
			.text = inlined ? (const char *)(uintptr_t)place[1] : name,
			.inlined = inlined, .file = f->dso ? f->dso->index : -1,
			.start = f->sym ? f->sym->start_rva : 0, .va = f->va }));
	return id;
}

static u32 frame_of(struct stack_set *s, const struct location *f)
{
	const u64 place[4] = { (u64)(uintptr_t)f->sym, (u64)(uintptr_t)f->inl,
			       (u64)(uintptr_t)f->dso, f->inline_depth | (u64)f->broken << 32 };
	const u32 id = idset_get(&s->places, place);
	struct str label = STR_INIT;

	if (id < s->place_frame.n)
		return s->place_frame.v[id];
	frame_add_label(f, &label);
	vec_push(&s->place_frame, stack_set_frame(s, str_cstr(&label), f->inline_depth > 0));
	str_release(&label);
	return *vec_last(&s->place_frame);
}

/* Mostly a chain was seen before: one look-up, not one a frame. */
static u64 hash_chain(const struct stack_set *s, const struct resolved *r, u32 from)
{
	u64 h = r->n_frames - from;

	for (u32 i = from; i < r->n_frames; i++) {
		const struct location *f = &r->frames[i];

		h = hash_u64(h ^ (f->sym ? (u64)(uintptr_t)f->sym : (u64)(uintptr_t)f->dso) ^
			     (u64)(uintptr_t)f->inl ^ (u64)f->broken << 60);
		if (s->by_symbol && !f->sym && !f->inl)
			h = hash_u64(h ^ f->va);
	}
	return h;
}

u32 stack_set_node(struct stack_set *s, const struct resolved *r, u32 from)
{
	const u64 key = hash_chain(s, r, from);
	u32 node = (u32)(uintptr_t)hmap_get(&s->nodes, key);

	if (node)
		return node - 1;
	for (u32 i = r->n_frames; i > from; i--)
		node = cct_child(&s->tree, node, s->by_symbol ?
				 symbol_frame(s, &r->frames[i - 1]) :
				 frame_of(s, &r->frames[i - 1]));
	hmap_put(&s->nodes, key, (void *)(uintptr_t)(node + 1));
	return node;
}

void stack_set_folded(const struct stack_set *s, u32 node, struct str *out)
{
	const struct cct_node *n = &s->tree.nodes.v[node];

	if (!node)
		return;
	stack_set_folded(s, n->parent, out);
	if (n->parent)
		str_addch(out, ';');
	str_add_folded(out, s->frames.v[n->tag].text);
}

/* --- call trees */

void stack_tree_init(struct stack_tree *t, const struct stack_set *set)
{
	memset(t, 0, sizeof(*t));
	t->set = set;
	cct_init(&t->tree);
}

u32 stack_tree_add(struct stack_tree *t, u32 at, u32 node, bool inner_first)
{
	const struct cct_node *nodes = t->set->tree.nodes.v;

	if (!node)
		return at;
	if (!inner_first)
		at = stack_tree_add(t, at, nodes[node].parent, false);
	at = cct_child(&t->tree, at, nodes[node].tag);
	return inner_first ? stack_tree_add(t, at, nodes[node].parent, true) : at;
}

void stack_tree_count(struct stack_tree *t, u32 at, u64 value, u64 n)
{
	while (t->self.n <= at)
		(void)vec_add(&t->self);
	t->self.v[at].value += value;
	t->self.v[at].n += n;
}

struct shown {
	const struct stack_tree *t;
	struct stack_sum *self, *total;	/* by node */
	u32 *first, *next;		/* children, by node */
	u64 min;
	struct call_tree *out;
};

/* Children are linked, and totals added up: a parent stands before its children. */
static void add_up(struct shown *s)
{
	const struct cct_node *nodes = s->t->tree.nodes.v;

	memcpy(s->total, s->self, s->t->tree.nodes.n * sizeof(*s->total));
	for (size_t i = s->t->tree.nodes.n; i-- > 1;) {
		const u32 parent = nodes[i].parent;

		s->total[parent].value += s->total[i].value;
		s->total[parent].n += s->total[i].n;
		s->next[i] = s->first[parent];
		s->first[parent] = (u32)i;
	}
}

static const struct stack_name *name_of(const struct shown *s, u32 node)
{
	return &s->t->set->frames.v[s->t->tree.nodes.v[node].tag];
}

static int cmp_numbers(u64 a, u64 b) { return a < b ? -1 : a > b; }

/* Of equal weights: higher addresses first, as upstream perf has it; what has a name before what
 * has none. */
static int cmp_symbols(const struct stack_name *a, const struct stack_name *b)
{
	int c;

	if (!a->text != !b->text)
		return a->text ? -1 : 1;
	if (a->file != b->file)
		return a->file < 0 ? 1 : b->file < 0 ? -1 : b->file - a->file;
	c = cmp_numbers(b->start, a->start);
	if (!c && a->text)
		c = strcmp(a->text, b->text);
	return c ? c : cmp_numbers(b->va, a->va);
}

static int cmp_nodes(const void *a, const void *b, void *ctx)
{
	const struct shown *s = ctx;
	const u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const u64 v = s->total[x].value, w = s->total[y].value;

	if (v != w)
		return v > w ? -1 : 1;
	return s->t->set->by_symbol ? cmp_symbols(name_of(s, x), name_of(s, y)) :
		strcmp(name_of(s, x)->text, name_of(s, y)->text);
}

/* Its children are still to come. */
static u32 add_node(struct shown *s, u32 node, u32 depth)
{
	struct call_node *n = vec_add(&s->out->nodes);

	if (node) {
		n->name = name_of(s, node)->text;
		n->inlined = name_of(s, node)->inlined;
		n->va = name_of(s, node)->va;
	}
	n->value = s->total[node].value;
	n->count = s->total[node].n;
	n->self = s->self[node].value;
	n->self_count = s->self[node].n;
	n->depth = depth;
	return (u32)s->out->nodes.n - 1;
}

static void add_level(struct shown *s, u32 node, u32 at, u32 depth)
{
	VEC(u32) kids = { 0 };
	const u64 below = s->total[node].value - s->self[node].value;
	const u64 min = node ? MAX(s->min, u64_of((double)below * s->t->min_pct / 100)) : s->min;
	u32 last = 0;
	bool join;

	for (u32 k = s->first[node]; k; k = s->next[k])
		vec_push(&kids, k);
	s->out->nodes.v[at].n_branches = (u32)kids.n;
	join = at && kids.n == 1 && s->total[kids.v[0]].value == s->total[node].value &&
		s->total[kids.v[0]].n == s->total[node].n;
	if (kids.n > 1)
		qsort_r(kids.v, kids.n, sizeof(u32), cmp_nodes, s);
	for vec_each(k, &kids) {
		u32 id;

		if (s->total[*k].value < min)
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

void stack_tree_finish(struct stack_tree *t, u64 min, struct call_tree *out)
{
	const size_t n = t->tree.nodes.n;
	struct shown s = { .t = t, .min = min, .out = out, .self = xcalloc(n, sizeof(*s.self)),
			   .total = xcalloc(n, sizeof(*s.total)),
			   .first = xcalloc(n, sizeof(*s.first)),
			   .next = xcalloc(n, sizeof(*s.next)) };

	if (t->self.n)
		memcpy(s.self, t->self.v, t->self.n * sizeof(*s.self));
	add_up(&s);
	out->total = s.total[0].value;
	out->total_count = s.total[0].n;
	add_level(&s, 0, add_node(&s, 0, 0), 0);
	free(s.self);
	free(s.total);
	free(s.first);
	free(s.next);
	cct_release(&t->tree);
	vec_free(&t->self);
}
