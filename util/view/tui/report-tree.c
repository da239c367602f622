// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/tui/report-tree.h"

#include "util/base/str.h"

enum { STEP = 3 };		/* columns from a branch to what is below it */

static const struct call_node *node(const struct tree_lines *t, u32 i)
{
	return &t->tree->nodes.v[i];
}

static u32 joined_child(const struct tree_lines *t, u32 n)
{
	const u32 c = node(t, n)->first_child;

	return c && node(t, c)->joined ? c : 0;
}

static void add_line(struct tree_lines *t, struct tree_line l, bool folds)
{
	l.sign = !folds ? ' ' : t->open[l.node] ? '-' : '+';
	vec_push(&t->v, l);
}

static void add_branches(struct tree_lines *t, u32 parent, u32 offset, u64 base);

/* The frames of a branch, and what is below it. lone: the only beginning of all chains; its value
 * is the row's, and its frames are always shown. */
static void add_branch(struct tree_lines *t, struct tree_line l, bool lone)
{
	const u32 first = l.node, second = joined_child(t, first);
	u32 end = first;

	add_line(t, l, second ? !lone : node(t, first)->first_child);
	if (second && !lone && !t->open[first])
		return;
	if (l.value)
		l.offset += second ? STEP : 0;
	l.value = false;
	for (u32 n = second; n; n = joined_child(t, n)) {
		l.node = end = n;
		add_line(t, l, !joined_child(t, n) && node(t, n)->first_child);
	}
	if (!node(t, end)->first_child || !t->open[end])
		return;
	add_branches(t, end, l.offset + STEP, t->chain->mode == CHAIN_FRACTAL ?
		     node(t, end)->value - node(t, end)->self : t->total);
}

static void add_branches(struct tree_lines *t, u32 parent, u32 offset, u64 base)
{
	const u32 first = node(t, parent)->first_child;
	const bool one_kept = first && !node(t, first)->next;
	unsigned n = 0;

	for (u32 k = first; k; k = node(t, k)->next) {
		const struct tree_line l = { .node = k, .offset = offset, .base = base,
					     .value = node(t, parent)->n_branches != 1 };

		add_branch(t, l, !parent && one_kept);
		if (++n == t->chain->print_limit)
			break;
	}
}

/* ---- one stack after the other ---- */

static bool is_chains(const struct tree_lines *t)
{
	return t->chain->mode == CHAIN_FLAT || t->chain->mode == CHAIN_FOLDED;
}

static void add_chains(struct tree_lines *t)
{
	view_path path = { 0 };

	for vec_each(c, &t->chains.v) {
		struct tree_line l = { .end = c->end, .node = c->end, .offset = STEP,
				       .base = t->total, .value = true, .sign = ' ' };

		vec_clear(&path);
		view_chain_path(&t->chains, c->end, &path);
		if (t->chain->mode == CHAIN_FLAT && path.n > 1)
			l.sign = t->open[c->end] ? '-' : '+';
		if (t->chain->mode == CHAIN_FLAT)
			l.node = path.v[0];
		vec_push(&t->v, l);
		for (size_t i = 1; l.sign == '-' && i < path.n; i++)
			vec_push(&t->v, ((struct tree_line){ .end = c->end, .node = path.v[i],
					 .offset = 2 * STEP, .sign = ' ' }));
	}
	vec_free(&path);
}

static bool in_chain(const struct tree_lines *t, u32 end, u32 wanted)
{
	while (end && end != wanted)
		end = t->chains.up[end];
	return end;
}

/* Opens the first stack that has the frame. */
static void open_chain(struct tree_lines *t, u32 wanted)
{
	for vec_each(c, &t->chains.v) {
		if (!in_chain(t, c->end, wanted))
			continue;
		t->open[c->end] = true;
		return;
	}
}

/* ---- all ---- */

static void make_lines(struct tree_lines *t)
{
	vec_clear(&t->v);
	if (is_chains(t)) {
		add_chains(t);
		return;
	}
	add_branches(t, 0, STEP, t->chain->mode == CHAIN_FRACTAL ? t->tree->total : t->total);
}

bool tree_has_lines(const struct call_tree *tree)
{
	return tree && tree->nodes.n && tree->nodes.v[0].first_child;
}

void tree_lines_init(struct tree_lines *t, const struct call_tree *tree,
		     const struct chain_opts *chain, u64 total)
{
	*t = (struct tree_lines){ .tree = tree, .chain = chain, .total = total };
	t->open = xcalloc(tree->nodes.n + 1, sizeof(*t->open));
	if (is_chains(t))
		view_chains_init(&t->chains, tree, chain, total);
	if (tree_has_lines(tree))
		make_lines(t);
}

void tree_lines_release(struct tree_lines *t)
{
	free(t->open);
	view_chains_release(&t->chains);
	vec_free(&t->v);
}

void tree_lines_set(struct tree_lines *t, size_t line, bool open)
{
	const struct tree_line *l = &t->v.v[line];

	t->open[l->end ? l->end : l->node] = open;
	make_lines(t);
}

void tree_lines_set_all(struct tree_lines *t, bool open)
{
	memset(t->open, open, t->tree->nodes.n);
	if (tree_has_lines(t->tree))
		make_lines(t);
}

/* true: the node is below n, or n, and what leads there is open */
static bool open_to(struct tree_lines *t, u32 n, u32 wanted)
{
	for (u32 k = node(t, n)->first_child; k; k = node(t, k)->next) {
		if (k != wanted && !open_to(t, k, wanted))
			continue;
		if (n)
			t->open[n] = true;
		return true;
	}
	return false;
}

size_t tree_lines_find(const struct tree_lines *t, u32 wanted)
{
	for (size_t i = 0; i < t->v.n; i++)
		if (t->v.v[i].node == wanted || (t->chain->mode == CHAIN_FOLDED &&
						 in_chain(t, t->v.v[i].end, wanted)))
			return i;
	return SIZE_MAX;
}

size_t tree_lines_reveal(struct tree_lines *t, u32 wanted)
{
	size_t i = tree_lines_find(t, wanted);

	if (i != SIZE_MAX)
		return i;
	if (is_chains(t))
		open_chain(t, wanted);
	else
		open_to(t, 0, wanted);
	make_lines(t);
	i = tree_lines_find(t, wanted);
	return i == SIZE_MAX ? 0 : i;
}

static bool same_frame(const struct call_node *a, const struct call_node *b)
{
	return a->what == b->what && a->name == b->name && a->inlined == b->inlined &&
		(a->name || a->va == b->va);
}

struct taking { struct tree_lines *to; const struct tree_lines *from; u32 wanted, found; };

/* n and m: of to and from, the same frames from the row to here. */
static void take_open(struct taking *k, u32 n, u32 m)
{
	if (m == k->wanted)
		k->found = n;
	k->to->open[n] = k->from->open[m];
	for (u32 c = node(k->from, m)->first_child; c; c = node(k->from, c)->next) {
		u32 at = node(k->to, n)->first_child;

		while (at && !same_frame(node(k->to, at), node(k->from, c)))
			at = node(k->to, at)->next;
		if (at)
			take_open(k, at, c);
	}
}

u32 tree_lines_take(struct tree_lines *t, const struct tree_lines *from, u32 wanted)
{
	struct taking k = { t, from, wanted, 0 };

	if (!tree_has_lines(t->tree) || !tree_has_lines(from->tree))
		return 0;
	take_open(&k, 0, 0);
	make_lines(t);
	return k.found;
}

static void add_value(const struct tree_lines *t, const struct tree_line *l, struct str *out)
{
	const struct call_node *n = node(t, l->end ? l->end : l->node);
	const u64 value = l->end ? n->self : n->value;

	switch (t->chain->value) {
	case CHAIN_PERIOD: str_add_u64(out, value); break;
	case CHAIN_COUNT: str_add_u64(out, l->end ? n->self_count : n->count); break;
	default:
		str_addf(out, "%.2f%%", l->base ? (double)value * 100 / (double)l->base : 0);
	}
	str_addch(out, ' ');
}

static void add_name(const struct call_node *n, struct str *out)
{
	if (n->name)
		str_add_safe(out, n->name);
	else
		str_addf(out, "%#llx", (unsigned long long)n->va);
	if (n->inlined)
		str_add(out, " (inlined)");
}

void tree_line_text(const struct tree_lines *t, const struct tree_line *l, bool verbose,
		    struct str *out)
{
	const struct call_node *n = node(t, l->node);
	view_path path = { 0 };

	if (l->value)
		add_value(t, l, out);
	if (l->end && t->chain->mode == CHAIN_FOLDED)
		view_chain_path(&t->chains, l->end, &path);
	else
		vec_push(&path, l->node);
	for vec_each(frame, &path) {
		if (frame != path.v)
			str_addch(out, ';');
		add_name(node(t, *frame), out);
	}
	vec_free(&path);
	if (verbose && n->what) {
		str_addch(out, ' ');
		str_add_safe(out, hist_loc_dso(n->what));
	}
}
