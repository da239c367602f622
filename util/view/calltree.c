// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call trees below a row: a graph with branches, or one line or block a chain.
 */
#include "util/view/chains.h"
#include "util/view/text.h"

#define MARGIN 12

struct draw {
	struct str *out;
	const struct call_tree *t;
	const struct text_opts *o;
	unsigned margin;
	VEC(bool) bars;		/* by depth: another branch follows below */
};

static void add_name(struct draw *d, const struct call_node *n)
{
	if (n->name)
		str_add_safe(d->out, n->name);
	else
		str_addf(d->out, "%#llx", (unsigned long long)n->va);
	if (n->inlined)
		str_add(d->out, " (inlined)");
}

static void add_share(struct str *out, const char *what, u64 part, u64 of)
{
	str_addf(out, "%s%s:%.1f%%", out->len ? " " : "", what, (double)part * 100 / (double)of);
}

/* What the branches did of which the node is an end, as upstream perf writes it. */
static void add_branch_ends(struct str *out, const struct branch_counts *c)
{
	struct str s = STR_INIT;

	if (c->targets > c->predicted)
		add_share(&s, "predicted", c->predicted, c->targets);
	if (c->aborts)
		add_share(&s, "abort", c->aborts, c->targets);
	if (c->sources && c->cycles / c->sources)
		str_addf(&s, "%scycles:%llu", s.len ? " " : "",
			 (unsigned long long)(c->cycles / c->sources));
	if (c->rounds)
		str_addf(&s, "%siter:%llu avg_cycles:%llu", s.len ? " " : "",
			 (unsigned long long)MAX(c->rounds / c->sources, (u64)1),
			 (unsigned long long)(c->round_cycles / c->rounds));
	if (c->calls)
		str_addf(&s, "%scalltrace", s.len ? " " : "");
	if (s.len)
		str_addf(out, " (%s)", str_cstr(&s));
	str_release(&s);
}

static void add_node(struct draw *d, const struct call_node *n)
{
	add_name(d, n);
	if (n->ends)
		add_branch_ends(d->out, &d->t->ends.v[n->ends - 1]);
	str_addch(d->out, '\n');
}

static void add_value(struct draw *d, u64 value, u64 count, u64 base)
{
	switch (d->o->chain->value) {
	case CHAIN_PERIOD:
		str_add_u64(d->out, value);
		break;
	case CHAIN_COUNT:
		str_add_u64(d->out, count);
		break;
	default:
		str_addf(d->out, "%.2f%%", base ? (double)value * 100 / (double)base : 0);
	}
}

static const struct call_node *node(const struct draw *d, u32 i) { return &d->t->nodes.v[i]; }

static void add_margin(struct draw *d)
{
	str_addchn(d->out, ' ', d->margin);
	for vec_each(bar, &d->bars)
		str_add(d->out, *bar ? "|          " : "           ");
}

/* The joined nodes after n, each on its line; yields the last one. */
static u32 add_run(struct draw *d, u32 n)
{
	while (node(d, n)->first_child && node(d, node(d, n)->first_child)->joined) {
		n = node(d, n)->first_child;
		add_margin(d);
		add_node(d, node(d, n));
	}
	return n;
}

static void add_branch_start(struct draw *d, bool more)
{
	str_addchn(d->out, ' ', d->margin);
	for (size_t i = 0; i + 1 < d->bars.n; i++)
		str_add(d->out, d->bars.v[i] ? "|          " : "           ");
	str_add(d->out, more ? "|--" : " --");
}

/* Fractal: what the limit hides. */
static void add_rest(struct draw *d, u64 rest, u64 base)
{
	vec_push(&d->bars, false);
	add_branch_start(d, false);
	add_value(d, rest, 0, base);
	str_add(d->out, "--[...]\n");
	(void)vec_pop(&d->bars);
}

static u64 rest_of(const struct draw *d, u32 parent, u64 base)
{
	for (u32 k = node(d, parent)->first_child; k; k = node(d, k)->next)
		base -= node(d, k)->value;
	return d->o->chain->value == CHAIN_PERCENT ? base : 0;
}

/* Fractal: base is what percentages refer to. Below the first level that is what goes on below
 * the parent: stacks that end in it are not part of it. */
static void add_branches(struct draw *d, u32 parent, u64 base)
{
	bool fractal = d->o->chain->mode == CHAIN_FRACTAL;
	u64 rest = fractal ? rest_of(d, parent, base) : 0;
	unsigned printed = 0;

	if (!node(d, parent)->first_child)
		return;
	for (u32 k = node(d, parent)->first_child; k; k = node(d, k)->next) {
		bool more = node(d, k)->next || rest;
		u32 end;

		vec_push(&d->bars, true);
		add_margin(d);
		str_addch(d->out, '\n');
		*vec_last(&d->bars) = more;
		add_branch_start(d, more);
		add_value(d, node(d, k)->value, node(d, k)->count, fractal ? base : d->o->total);
		str_add(d->out, "--");
		add_node(d, node(d, k));
		end = add_run(d, k);
		add_branches(d, end, node(d, end)->value - node(d, end)->self);
		(void)vec_pop(&d->bars);
		if (++printed == d->o->chain->print_limit)
			break;
	}
	if (rest)
		add_rest(d, rest, base);
}

/* One beginning: its frames stand below "---"; with skip_first without the first, which the row
 * names already. */
static void add_single_root(struct draw *d, u32 n)
{
	unsigned printed = 0, limit = d->o->chain->print_limit;
	bool skip = d->o->skip_first;

	for (;; n = node(d, n)->first_child) {
		bool last = !node(d, n)->first_child || !node(d, node(d, n)->first_child)->joined;

		if (!skip && !(limit && printed >= limit)) {
			str_addchn(d->out, ' ', MARGIN);
			if (!printed) {
				str_add(d->out, "|\n");
				str_addchn(d->out, ' ', MARGIN);
			}
			str_add(d->out, printed++ ? "   " : "---");
			add_node(d, node(d, n));
			d->margin = MARGIN + 3;
		}
		skip = false;
		if (last)
			break;
	}
	add_branches(d, n, d->t->total);
}

static void add_graph(struct draw *d)
{
	size_t before = d->out->len;

	if (node(d, 0)->n_branches == 1)
		add_single_root(d, node(d, 0)->first_child);
	else
		add_branches(d, 0, d->t->total);
	if (d->out->len > before)
		str_addch(d->out, '\n');
}

/* ---- one chain after the other ---- */

static void add_path(struct draw *d, const view_path *path, bool folded)
{
	const char sep = d->o->sep ? d->o->sep : ';';

	for vec_each(n, path) {
		if (!folded)
			str_addchn(d->out, ' ', MARGIN + 4);
		add_name(d, node(d, *n));
		str_addch(d->out, folded && n + 1 < path->v + path->n ? sep : '\n');
	}
}

static void add_chains(struct draw *d)
{
	const bool folded = d->o->chain->mode == CHAIN_FOLDED;
	struct view_chains chains;
	view_path path = { 0 };

	view_chains_init(&chains, d->t, d->o->chain, d->o->total);
	for vec_each(c, &chains.v) {
		const struct call_node *end = node(d, c->end);

		/* a block has all that goes through it, as upstream perf writes it */
		if (!folded)
			str_addchn(d->out, ' ', MARGIN - 1);
		add_value(d, folded ? c->value : end->value, folded ? c->count : end->count,
			  d->o->total);
		str_addch(d->out, folded ? ' ' : '\n');
		vec_clear(&path);
		view_chain_path(&chains, c->end, &path);
		add_path(d, &path, folded);
		if (!folded)
			str_addch(d->out, '\n');
	}
	vec_free(&path);
	view_chains_release(&chains);
}

void text_call_tree(struct str *out, const struct call_tree *t, const struct text_opts *opts)
{
	struct draw d = { .out = out, .t = t, .o = opts, .margin = MARGIN };

	if (!t->nodes.n || !t->nodes.v[0].first_child)
		return;
	switch (opts->chain->mode) {
	case CHAIN_GRAPH:
	case CHAIN_FRACTAL:
		add_graph(&d);
		break;
	case CHAIN_FLAT:
	case CHAIN_FOLDED:
		add_chains(&d);
		break;
	case CHAIN_NONE:
		break;
	}
	vec_free(&d.bars);
}
