// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows from the tree: self totals by group and frame key, children totals in one walk, order.
 */
#include "util/analysis/hist/hist-priv.h"

struct walk {
	struct hist *h;
	const struct cct_node *nodes;
	u32 n;
	u16 *height;		/* frames below */
	u32 *on_path;		/* by frame key: how often on the current path */
	u32 *row_of;		/* by frame key: row + 1 in the current root, valid when stamp is */
	u32 *stamp;
	u32 cur;		/* stamp of the current root */
};

/* What filters rows, not samples. */
static bool row_passes(const struct hist *h, const struct hist_row *r)
{
	const struct hist_sym *s;

	if (h->substr_col < 0)
		return true;
	s = (const void *)(uintptr_t)hist_row_word(h, r, (size_t)h->substr_col);
	return s && s->name && strstr(s->name, h->opts.filter.symbol_substr);
}

static bool is_leaf_tag(u32 tag) { return (tag & (TAG_ROOT | TAG_LEAF)) == TAG_LEAF; }

static u32 node_fid(const struct hist *h, u32 tag)
{
	return tag & TAG_LEAF ? tag & TAG_LOC_MASK : h->sh.loc_fid.v[tag];
}

void hist_free_arrays(struct hist *h)
{
	free(h->first_child);
	free(h->next);
	free(h->total);
	free(h->node_row);
	free(h->latency);
	branch_totals_free(h);
	h->latency = NULL;
	h->first_child = h->next = h->node_row = NULL;
	h->total = NULL;
	h->node_cap = 0;
}

/* Zeroed ones. Where rows are made again and again, so that their pages are not faulted anew. */
static void need_arrays(struct hist *h, size_t n)
{
	const bool again = h->node_cap > 0;

	if (n <= h->node_cap && n >= h->node_cap / 8) {
		memset(h->first_child, 0, n * sizeof(*h->first_child));
		memset(h->next, 0, n * sizeof(*h->next));
		memset(h->total, 0, n * sizeof(*h->total));
		memset(h->node_row, 0, n * sizeof(*h->node_row));
		return;
	}
	hist_free_arrays(h);
	n = again ? n + n / 4 : n;
	h->first_child = xcalloc(n, sizeof(*h->first_child));
	h->next = xcalloc(n, sizeof(*h->next));
	h->total = xcalloc(n, sizeof(*h->total));
	h->node_row = xcalloc(n, sizeof(*h->node_row));
	h->node_cap = n;
}

/* Children in order of creation, totals and heights bottom-up: a parent always comes before its
 * children. */
static void link_nodes(struct walk *w)
{
	struct hist *h = w->h;

	w->height = xcalloc(w->n, sizeof(*w->height));
	for (u32 i = w->n; i-- > 1;) {
		const struct cct_node *nd = &w->nodes[i];
		u32 p = nd->parent, below = w->height[i] + !is_leaf_tag(nd->tag);

		h->total[i].period += nd->self;
		h->total[i].n += nd->self_n;
		h->total[p].period += h->total[i].period;
		h->total[p].n += h->total[i].n;
		h->next[i] = h->first_child[p];
		h->first_child[p] = i;
		if (below > w->height[p])
			w->height[p] = (u16)MIN(below, 65535u);
	}
}

static struct hist_row *row_get(struct walk *w, struct event_rows *er, u32 gid, u32 fid)
{
	if (w->stamp[fid] != w->cur) {
		struct hist_row *r = vec_add(&er->rows);

		r->gid = gid;
		r->fid = fid;
		w->stamp[fid] = w->cur;
		w->row_of[fid] = (u32)er->rows.n;
	}
	return &er->rows.v[w->row_of[fid] - 1];
}

static struct branch_counts *row_branches(struct walk *w, struct hist_row *r)
{
	if (!r->branches)
		r->branches = arena_alloc(&w->h->main->arena, sizeof(*r->branches));
	return r->branches;
}

static void enter_node(struct walk *w, struct event_rows *er, u32 gid, u32 node, u32 depth)
{
	const struct hist *h = w->h;
	const struct cct_node *nd = &w->nodes[node];
	u32 fid = node_fid(h, nd->tag);
	struct hist_row *r;

	if (!h->opts.children && !nd->self_n) {
		w->h->node_row[node] = 0;
		return;
	}
	r = row_get(w, er, gid, fid);
	h->node_row[node] = w->row_of[fid];
	if (h->branches.want && nd->self_n && !h->opts.children)
		branch_totals_row(h, node, false, row_branches(w, r));
	if (h->want_latency)
		r->latency += latencies_at(&h->main->lat, node);
	if (nd->self_n) {
		r->self += nd->self;
		r->self_n += nd->self_n;
		if (depth > r->max_depth)
			r->max_depth = depth;
		if (h->want_extra)
			extra_to_row(h->main, r, node);
	}
	if (!h->opts.children) {
		r->sum = r->self;
		r->sum_n = r->self_n;
		r->latency_sum = r->latency;
		return;
	}
	if (w->on_path[fid]++)
		return;
	h->node_row[node] |= ROW_OUTER;
	r->sum += h->total[node].period;
	r->sum_n += h->total[node].n;
	r->latency_sum += h->latency ? h->latency[node] : 0;
	if (h->branches.want)
		branch_totals_row(h, node, true, row_branches(w, r));
	if (!is_leaf_tag(nd->tag)) {
		u32 d = h->opts.caller ? w->height[node] + 1u : depth;

		if (d > r->max_depth)
			r->max_depth = d;
	}
}

/* Depth first below one root, without recursion: chains may be deep. */
static void walk_root(struct walk *w, struct event_rows *er, u32 root, u32 gid)
{
	const struct hist *h = w->h;
	u32 node = h->first_child[root], depth = 0;

	w->cur++;
	while (node) {
		bool leaf = is_leaf_tag(w->nodes[node].tag);

		enter_node(w, er, gid, node, depth + !leaf);
		if (h->first_child[node]) {
			node = h->first_child[node];
			depth++;
			continue;
		}
		for (;;) {
			if (h->opts.children)
				w->on_path[node_fid(h, w->nodes[node].tag)]--;
			if (h->next[node]) {
				node = h->next[node];
				break;
			}
			node = w->nodes[node].parent;
			if (node == root)
				return;
			depth--;
		}
	}
}

/* ---- order ---- */

struct order { const struct hist *h; size_t cols[MAX_KEYS]; size_t words[MAX_KEYS]; size_t n; };

static int cmp_words(u64 a, u64 b) { return a < b ? -1 : a > b; }

static int cmp_value(const struct key_def *d, const struct hist_row *a, const struct hist_row *b)
{
	struct row_values va = { .row = a, .total = 1 }, vb = { .row = b, .total = 1 };
	double x = d->value(&va), y = d->value(&vb);

	return x > y ? -1 : x < y;
}

static int cmp_key(const struct order *o, size_t i, const struct hist_row *a,
		   const struct hist_row *b)
{
	const struct key_def *d = o->h->opts.keys->cols.v[o->cols[i]].def;
	u64 x, y;

	if (d->level == KEY_SAMPLE) {
		x = idset_at(&o->h->sh.gids, a->gid)[o->words[i]];
		y = idset_at(&o->h->sh.gids, b->gid)[o->words[i]];
	} else {
		x = idset_at(&o->h->sh.fids, a->fid)[o->words[i]];
		y = idset_at(&o->h->sh.fids, b->fid)[o->words[i]];
	}
	return x == y ? 0 : d->cmp ? d->cmp(x, y) : cmp_words(x, y);
}

static int cmp_rows(const void *pa, const void *pb, void *ctx)
{
	const struct order *o = ctx;
	const struct hist_row *a = pa, *b = pb;

	for (size_t i = 0; i < o->n; i++) {
		const struct key_def *d = o->h->opts.keys->cols.v[o->cols[i]].def;
		int c;

		if (d->level == KEY_VALUE) {
			c = cmp_value(d, a, b);
		} else {
			c = cmp_key(o, i, a, b);
		}
		if (c)
			return c;
	}
	return 0;
}

static int cmp_first(const struct order *o, const struct hist_row *a, const struct hist_row *b)
{
	return cmp_value(o->h->opts.keys->cols.v[o->cols[0]].def, a, b);
}

/* With callers' rows, equal totals are ordered by depth among the rows of one group (callers
 * above what they call), and groups are merged by the other columns. That is no total order of
 * single rows, so it takes a second step. */
static int cmp_grouped(const void *pa, const void *pb, void *ctx)
{
	const struct order *o = ctx;
	const struct hist_row *a = pa, *b = pb;
	const int c = cmp_first(o, a, b);

	if (c)
		return c;
	if (a->gid != b->gid)
		return a->gid < b->gid ? -1 : 1;
	if (a->max_depth != b->max_depth)
		return (a->max_depth > b->max_depth) == o->h->opts.caller ? -1 : 1;
	return cmp_rows(a, b, ctx);
}

struct run { const struct hist_row *at, *end; };

static void sift_down(struct run *heap, size_t n, size_t i, struct order *o)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && cmp_rows(heap[child + 1].at, heap[child].at, o) < 0)
			child++;
		if (cmp_rows(heap[i].at, heap[child].at, o) <= 0)
			return;
		struct run t = heap[i];

		heap[i] = heap[child];
		heap[child] = t;
	}
}

/* Rows of equal totals, each group in its order: merged. */
static void merge_groups(struct hist_row *rows, size_t n, struct order *o)
{
	struct hist_row *copy = xmemdup(rows, n * sizeof(*rows));
	struct run *heap = xcalloc(n, sizeof(*heap));
	size_t runs = 0;

	for (size_t i = 0; i < n; i++) {
		if (!i || copy[i].gid != copy[i - 1].gid)
			heap[runs++].at = &copy[i];
		heap[runs - 1].end = &copy[i + 1];
	}
	for (size_t i = runs; i-- > 0;)
		sift_down(heap, runs, i, o);
	for (size_t i = 0; i < n; i++) {
		rows[i] = *heap[0].at;
		if (++heap[0].at == heap[0].end)
			heap[0] = heap[--runs];
		sift_down(heap, runs, 0, o);
	}
	free(heap);
	free(copy);
}

static void sort_by_depth(struct hist_row *rows, size_t n, struct order *o)
{
	if (n)
		qsort_r(rows, n, sizeof(*rows), cmp_grouped, o);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !cmp_first(o, &rows[end], &rows[i]); end++)
			;
		if (rows[i].gid != rows[end - 1].gid)
			merge_groups(rows + i, end - i, o);
	}
}

static void order_init(struct order *o, const struct hist *h)
{
	const struct hist_keys *keys = h->opts.keys;

	o->h = h;
	o->n = 0;
	for (size_t s = 0; s < keys->sort.n && o->n < MAX_KEYS; s++) {
		size_t word = 0, col = keys->sort.v[s];

		for (size_t i = 0; i < col; i++)
			word += keys->cols.v[i].def->level == keys->cols.v[col].def->level;
		o->cols[o->n] = col;
		o->words[o->n++] = word;
	}
}

static void drop_filtered(const struct hist *h, struct event_rows *er)
{
	size_t n = 0;

	for (size_t i = 0; i < er->rows.n; i++)
		if (row_passes(h, &er->rows.v[i]))
			er->rows.v[n++] = er->rows.v[i];
	er->rows.n = n;
}

/* Filters and sorts an event's rows; node_row follows. */
static void sort_rows(struct hist *h, size_t e)
{
	struct event_rows *er = &h->by_event[e];
	const size_t n_made = er->rows.n;
	struct order o;
	u32 *to;

	order_init(&o, h);
	for (size_t i = 0; i < er->rows.n; i++)
		er->rows.v[i].tmp = (u32)i;
	drop_filtered(h, er);
	if (o.n && h->opts.callgraph && h->opts.keys->cols.v[o.cols[0]].def->deep_first)
		sort_by_depth(er->rows.v, er->rows.n, &o);
	else if (er->rows.n)
		qsort_r(er->rows.v, er->rows.n, sizeof(*er->rows.v), cmp_rows, &o);
	to = xcalloc(n_made + 1, sizeof(*to));
	for (size_t i = 0; i < er->rows.n; i++)
		to[er->rows.v[i].tmp + 1] = (u32)i + 1;
	er->renumber = to;
}

static const u64 *root_words(const struct hist *h, u32 tag)
{
	return idset_at(&h->sh.roots, tag & ~TAG_ROOT);
}

static u32 event_of(const struct hist *h, u32 root_tag)
{
	return (u32)root_words(h, root_tag)[1];
}

/* Dense ids of what chains tell apart, for tables indexed by it. */
static void number_chain_syms(struct hist *h)
{
	vec_reserve(&h->loc_chain, h->sh.locs.n + 1);
	for (size_t i = h->loc_chain.n; i < h->sh.locs.n; i++)
		h->loc_chain.v[i] = idset_get(&h->chain_ids, idset_at(&h->sh.locs, (u32)i));
	h->loc_chain.n = h->sh.locs.n;
}

void hist_make_rows(struct hist *h)
{
	struct walk w = { .h = h, .nodes = h->main->tree.nodes.v, .n = (u32)h->main->tree.nodes.n };
	size_t n_fids = MAX(h->sh.fids.n, (size_t)1);
	u32 *event = xcalloc(w.n, sizeof(*event));

	need_arrays(h, w.n);
	link_nodes(&w);
	for (size_t i = 0; h->flat && i < h->main->sums.n; i++)
		h->total[i] = (struct hist_total){ h->main->sums.v[i].period,
						   h->main->sums.v[i].n };
	free(h->latency);
	h->latency = h->want_latency ? latencies_total(h) : NULL;
	number_chain_syms(h);
	branch_totals_make(h);
	h->by_event = xcalloc(MAX(h->n_events, (size_t)1), sizeof(*h->by_event));
	w.on_path = xcalloc(n_fids, sizeof(u32));
	w.row_of = xcalloc(n_fids, sizeof(u32));
	w.stamp = xcalloc(n_fids, sizeof(u32));
	for (u32 r = h->first_child[0]; r; r = h->next[r]) {
		u32 tag = w.nodes[r].tag;

		walk_root(&w, &h->by_event[event_of(h, tag)], r, (u32)root_words(h, tag)[0]);
	}
	for (size_t e = 0; e < h->n_events; e++) {
		sort_rows(h, e);
		if (e)
			h->by_event[e].base = h->by_event[e - 1].base +
			(u32)h->by_event[e - 1].rows.n;
	}
	for (u32 i = 1; i < w.n; i++) {
		event[i] = w.nodes[i].tag & TAG_ROOT ? event_of(h, w.nodes[i].tag) :
			event[w.nodes[i].parent];
		if (h->node_row[i]) {
			const struct event_rows *er = &h->by_event[event[i]];
			u32 row = er->renumber[h->node_row[i] & ROW_MASK];

			h->node_row[i] = row ? (h->node_row[i] & ROW_OUTER) | (er->base + row) : 0;
		}
	}
	for (size_t e = 0; e < h->n_events; e++) {
		free(h->by_event[e].renumber);
		h->by_event[e].renumber = NULL;
	}
	free(event);
	free(w.height);
	free(w.on_path);
	free(w.row_of);
	free(w.stamp);
}

u64 hist_row_word(const struct hist *h, const struct hist_row *r, size_t key)
{
	const struct hist_keys *keys = h->opts.keys;
	size_t ns = 0, nf = 0;

	for (size_t i = 0; i < key; i++) {
		ns += keys->cols.v[i].def->level == KEY_SAMPLE;
		nf += keys->cols.v[i].def->level == KEY_FRAME;
	}
	return keys->cols.v[key].def->level == KEY_SAMPLE ? idset_at(&h->sh.gids, r->gid)[ns]
							   : idset_at(&h->sh.fids, r->fid)[nf];
}
