// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of the histogram as a table of cells.
 */
#include "util/analysis/hist/nest-priv.h"
#include "util/base/pool.h"

static u64 total_of(const struct hist *h, const struct event *e)
{
	return h->opts.relative ? hist_filtered_total(h, e).period : hist_total(h, e).period;
}

static void add_columns(struct result *r)
{
	const struct hist_keys *keys = r->h->opts.keys;

	for (size_t i = 0; i < keys->cols.n; i++)
		if (!keys->cols.v[i].elided)
			result_add_column(r, r->t, i);
}

static void fill_cells(struct result *r, const struct hist_row *row, struct cell *cells)
{
	static const struct hist_row none;
	const struct hist_keys *keys = r->h->opts.keys;
	size_t ns = 0, nf = 0, at = 0;

	for (size_t i = 0; i < keys->cols.n; i++) {
		const struct key *k = &keys->cols.v[i];
		u64 word;

		if (k->def->level == KEY_VALUE) {
			for (size_t m = 0; !k->elided && m < r->n; m++) {
				const struct hist_row *mr = result_member_row(r, m, row);
				struct row_values v = { mr ? mr : &none, r->members[m].total,
							r->members[m].latency };

				at += result_value_cells(r, k, m, &v, &cells[at]);
			}
			continue;
		}
		word = k->def->level == KEY_SAMPLE ? idset_at(&r->h->sh.gids, row->gid)[ns++]
						    : idset_at(&r->h->sh.fids, row->fid)[nf++];
		if (!k->elided)
			result_key_cell(k, word, row, r->t, &cells[at++]);
	}
}

static void init_members(struct result *r, const struct event *e)
{
	const struct event_list *l = r->h->opts.events;

	r->members = xcalloc(l->events.n + 1, sizeof(*r->members));
	r->members[r->n++] = (struct member){ e, total_of(r->h, e), hist_latency_whole(r->h, e) };
	for (size_t i = 0; r->opts->group && i < l->events.n; i++) {
		const struct event *m = l->events.v[i];

		if (m != e && !m->dummy && m->leader == e->leader)
			r->members[r->n++] = (struct member){ m, total_of(r->h, m),
							      hist_latency_whole(r->h, m) };
	}
	r->classes = result_classes(r);
	r->rows = xcalloc(r->n, sizeof(*r->rows));
	for (size_t m = 1; m < r->n; m++) {
		struct event_rows *er = &r->h->by_event[r->members[m].e->index];

		for vec_each(row, &er->rows)
			hmap_put(&r->rows[m], (u64)row->gid << 32 | row->fid, row);
	}
}

/* ---- rows of a group: where the leader's are equal, the other members decide ---- */

struct tie { const struct result *r; const struct event_rows *er; const struct key_def *first; };

static int cmp_members(const void *pa, const void *pb, void *ctx)
{
	static const struct hist_row none;
	const struct tie *t = ctx;
	const u32 a = *(const u32 *)pa, b = *(const u32 *)pb;

	for (size_t m = 0; m < t->r->n; m++) {
		const struct hist_row *x = result_member_row(t->r, m, &t->er->rows.v[a]),
			*y = result_member_row(t->r, m, &t->er->rows.v[b]);
		struct row_values vx = { .row = x ? x : &none, .total = 1 };
		struct row_values vy = { .row = y ? y : &none, .total = 1 };
		double dx = t->first->value(&vx), dy = t->first->value(&vy);

		if (dx != dy)
			return dx > dy ? -1 : 1;
	}
	return a < b ? -1 : a > b;
}

/* The rows of er in the order of the table; the caller frees. */
static u32 *row_order(const struct result *r, const struct event_rows *er)
{
	const struct hist_keys *keys = r->h->opts.keys;
	struct tie t = { r, er, keys->sort.n ? keys->cols.v[keys->sort.v[0]].def : NULL };
	u32 *order = xcalloc(er->rows.n + 1, sizeof(*order));

	for (size_t i = 0; i < er->rows.n; i++)
		order[i] = (u32)i;
	if (r->n > 1 && er->rows.n && t.first && t.first->level == KEY_VALUE)
		qsort_r(order, er->rows.n, sizeof(*order), cmp_members, &t);
	return order;
}

static double row_pct(const struct hist_row *row, u64 total)
{
	return total ? (double)row->sum * 100 / (double)total : 0;
}

static bool below_limit(const struct result *r, const struct hist_row *row)
{
	if (row->sum_n < r->opts->min_n)
		return true;
	for (size_t m = 0; m < r->n; m++) {
		const struct hist_row *mr = result_member_row(r, m, row);

		if (mr && row_pct(mr, r->members[m].total) >= r->opts->min_pct)
			return false;
	}
	return true;
}

/* Rows that only other members of the group have come last, by their own values. */
static void add_foreign(struct result *r)
{
	for (size_t m = 1; m < r->n; m++) {
		struct event_rows *er = &r->h->by_event[r->members[m].e->index];

		for vec_each(row, &er->rows) {
			const u64 key = (u64)row->gid << 32 | row->fid;
			bool seen = hmap_get(&r->rows[0], key) != NULL;
			struct hist_row *blank;
			struct table_row *tr;

			for (size_t o = 1; o < m && !seen; o++)
				seen = hmap_get(&r->rows[o], key) != NULL;
			if (seen)
				continue;
			blank = arena_alloc(&r->t->arena, sizeof(*blank));
			blank->gid = row->gid;
			blank->fid = row->fid;
			tr = table_add_row(r->t);
			vec_push(&r->of, blank);
			fill_cells(r, blank, tr->cells);
			tr->hidden = below_limit(r, blank);
		}
	}
}

/* The trees of the rows that are shown: the costly part, a row an item. */
struct tree_row { u32 row, at; };	/* number among er's rows, among the table's */

struct tree_job {
	struct result *r;
	const struct row_nodes *nodes;
	const struct event_rows *er;
	struct row_scratch **scratch;		/* by worker */
	VEC(struct tree_row) rows;
};

static void make_tree(void *ctx, size_t item, unsigned worker)
{
	struct tree_job *job = ctx;
	struct result *r = job->r;
	const u32 row = job->rows.v[item].row, at = job->rows.v[item].at;

	if (!job->scratch[worker])
		job->scratch[worker] = row_scratch_new(r->h);
	hist_row_tree(r->h, job->nodes, job->er->base + row + 1, &r->opts->chain,
		      r->members[0].total, job->scratch[worker],
		      r->t->rows.v[at].tree);
}

/* trees: the table that they live as long as */
static void make_trees(struct result *r, const struct event_rows *er, struct table *trees)
{
	struct row_nodes nodes = { 0 };
	struct tree_job job = { .r = r, .nodes = &nodes, .er = er };
	struct pool *pool;

	for (size_t i = 0; i < r->n_own; i++) {
		if (r->t->rows.v[i].hidden)
			continue;
		r->t->rows.v[i].tree = table_new_tree(trees);
		vec_push(&job.rows, ((struct tree_row){ r->order[i], (u32)i }));
	}
	if (!job.rows.n)
		return;
	row_nodes_init(&nodes, r->h);
	pool = pool_new(job.rows.n > 1 ? r->h->opts.threads : 1);
	job.scratch = xcalloc(pool_threads(pool), sizeof(*job.scratch));
	pool_run(pool, job.rows.n, make_tree, &job);
	for (unsigned w = 0; w < pool_threads(pool); w++)
		row_scratch_free(job.scratch[w]);
	pool_free(pool);
	free(job.scratch);
	vec_free(&job.rows);
	row_nodes_release(&nodes);
}

static void make_rows(struct result *r, const struct event *e)
{
	const struct event_rows *er = &r->h->by_event[e->index];
	/* what is nested is made of all of them */
	const size_t max_rows = r->opts->nested ? 0 : r->opts->max_rows;
	size_t n_shown = 0;

	init_members(r, e);
	add_columns(r);
	r->order = row_order(r, er);
	for (size_t i = 0; i < er->rows.n; i++) {
		const struct hist_row *row = &er->rows.v[r->order[i]];
		struct table_row *tr = table_add_row(r->t);

		if (r->n > 1)
			hmap_put(&r->rows[0], (u64)row->gid << 32 | row->fid, (void *)row);
		vec_push(&r->of, row);
		fill_cells(r, row, tr->cells);
		tr->hidden = below_limit(r, row);
		n_shown += !tr->hidden;
		if (max_rows && n_shown == max_rows)
			break;
	}
	r->n_own = r->t->rows.n;
	if (r->n > 1 && !max_rows)
		add_foreign(r);
}

static void release_result(struct result *r)
{
	for (size_t m = 0; m < r->n; m++)
		hmap_release(&r->rows[m]);
	free(r->rows);
	free(r->members);
	vec_free(&r->of);
	free(r->order);
}

static void cut_rows(struct table *t, size_t max_rows)
{
	size_t end = 0;

	for (size_t shown = 0; end < t->rows.n && shown < max_rows; end++)
		shown += !t->rows.v[end].hidden;
	table_cut_rows(t, end);
}

static void make_nested(struct result *r, struct table *out)
{
	const bool trees = r->opts->chain.mode != CHAIN_NONE && r->h->opts.callgraph;
	struct nest *n = nest_new(r, out);

	if (r->opts->max_rows)
		cut_rows(out, r->opts->max_rows);
	for vec_each(row, &r->t->rows)
		row->hidden = true;
	for (size_t i = 0; i < out->rows.n; i++)
		if (nest_flat(n, i) != NEST_INNER)
			r->t->rows.v[nest_flat(n, i)].hidden = out->rows.v[i].hidden;
	if (trees)
		make_trees(r, &r->h->by_event[r->members[0].e->index], out);
	for (size_t i = 0; trees && i < out->rows.n; i++) {
		if (nest_flat(n, i) == NEST_INNER)
			continue;
		out->rows.v[i].tree = r->t->rows.v[nest_flat(n, i)].tree;
		r->t->rows.v[nest_flat(n, i)].tree = NULL;
	}
	nest_free(n);
}

/* ---- by another member of the group than its first ---- */

/* Rows that are equal in it are ordered by those after the first, and then by their keys. */
static int cmp_by_member(const void *pa, const void *pb, void *ctx)
{
	static const struct hist_row none;
	const struct result *r = ctx;
	const struct hist_keys *keys = r->h->opts.keys;
	const u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	const struct hist_row *x = r->of.v[a], *y = r->of.v[b];
	const struct key_def *first = keys->cols.v[keys->sort.v[0]].def;

	for (size_t i = 0; i < r->n; i++) {
		const size_t m = i ? i : r->opts->by_member;
		const struct hist_row *rx = result_member_row(r, m, x);
		const struct hist_row *ry = result_member_row(r, m, y);
		const struct row_values vx = { .row = rx ? rx : &none, .total = 1 };
		const struct row_values vy = { .row = ry ? ry : &none, .total = 1 };

		if (first->value(&vx) != first->value(&vy))
			return first->value(&vx) > first->value(&vy) ? -1 : 1;
	}
	for vec_each(col, &keys->sort) {
		const struct key_def *d = keys->cols.v[*col].def;
		const u64 wx = d->level == KEY_VALUE ? 0 : hist_row_word(r->h, x, *col);
		const u64 wy = d->level == KEY_VALUE ? 0 : hist_row_word(r->h, y, *col);
		const int c = wx == wy ? 0 : d->cmp ? d->cmp(wx, wy) : wx < wy ? -1 : 1;

		if (c)
			return c;
	}
	return a < b ? -1 : a > b;
}

static void order_by_member(struct result *r, struct table *t)
{
	const struct hist_keys *keys = r->h->opts.keys;
	const size_t n = t->rows.n;
	struct table_row *rows;
	u32 *order;

	if (!r->opts->by_member || r->opts->by_member >= r->n || !n || !keys->sort.n ||
	    keys->cols.v[keys->sort.v[0]].def->level != KEY_VALUE)
		return;
	rows = xmemdup(t->rows.v, n * sizeof(*rows));
	order = xcalloc(n, sizeof(*order));
	for (u32 i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), cmp_by_member, r);
	for (size_t i = 0; i < n; i++)
		t->rows.v[i] = rows[order[i]];
	free(order);
	free(rows);
}

void hist_table(struct hist *h, const struct event *e, const struct hist_view_opts *opts,
		struct table *out)
{
	struct table flat = { 0 };
	struct result r = { .h = h, .opts = opts, .t = opts->nested ? &flat : out };

	make_rows(&r, e);
	if (opts->nested)
		make_nested(&r, out);
	else if (opts->chain.mode != CHAIN_NONE && h->opts.callgraph)
		make_trees(&r, &h->by_event[e->index], out);
	if (!opts->nested)
		order_by_member(&r, out);
	release_result(&r);
	table_release(&flat);
}

/* ---- one by one ---- */

struct hist_rows {
	struct result r;
	const struct event *e;
	struct hist_view_opts opts;
	struct table t;			/* what is seen */
	struct table flat;		/* the rows that nest is made of */
	struct nest *nest;		/* or NULL: t has the rows */
	struct row_nodes nodes;		/* when the first tree is asked for */
	struct row_scratch *scratch;
};

struct hist_rows *hist_rows_new(struct hist *h, const struct event *e,
				const struct hist_view_opts *opts)
{
	struct hist_rows *v = xnew(struct hist_rows);

	v->e = e;
	v->opts = *opts;
	v->r = (struct result){ .h = h, .opts = &v->opts,
				.t = opts->nested ? &v->flat : &v->t };
	make_rows(&v->r, e);
	if (opts->nested)
		v->nest = nest_new(&v->r, &v->t);
	return v;
}

void hist_rows_free(struct hist_rows *v)
{
	if (!v)
		return;
	release_result(&v->r);
	nest_free(v->nest);
	table_release(&v->t);
	table_release(&v->flat);
	row_nodes_release(&v->nodes);
	row_scratch_free(v->scratch);
	free(v);
}

const struct table *hist_rows_table(const struct hist_rows *v) { return &v->t; }

const struct hist_row *hist_rows_at(const struct hist_rows *v, size_t i)
{
	return v->r.of.v[v->nest ? nest_first(v->nest, i) : i];
}

bool hist_rows_has(const struct hist_rows *v, size_t i, size_t key)
{
	return !v->nest || nest_has(v->nest, i, key);
}

bool hist_rows_inner(const struct hist_rows *v, size_t i)
{
	return v->nest && nest_flat(v->nest, i) == NEST_INNER;
}

/* i: of the rows that are not nested */
static const struct call_tree *tree_of(struct hist_rows *v, size_t i)
{
	const struct event_rows *er = &v->r.h->by_event[v->e->index];
	struct call_tree *tree = v->r.t->rows.v[i].tree;

	if (tree || i >= v->r.n_own || v->opts.chain.mode == CHAIN_NONE ||
	    !v->r.h->opts.callgraph)
		return tree;
	if (!v->scratch) {
		row_nodes_init(&v->nodes, v->r.h);
		v->scratch = row_scratch_new(v->r.h);
	}
	tree = v->r.t->rows.v[i].tree = table_new_tree(v->r.t);
	hist_row_tree(v->r.h, &v->nodes, er->base + v->r.order[i] + 1, &v->opts.chain,
		      v->r.members[0].total, v->scratch, tree);
	return tree;
}

const struct call_tree *hist_rows_tree(struct hist_rows *v, size_t i)
{
	if (v->nest)
		i = nest_flat(v->nest, i);
	return i == NEST_INNER ? NULL : tree_of(v, i);
}

struct whole { struct hist_total t; u128 latency; };

/* Stacks with a row of this event that passes count once. by_row: whether rows pass. */
static struct whole count_stacks(const struct hist *h, const struct event_rows *er,
				      const bool *by_row)
{
	const struct cct_node *nodes = h->main->tree.nodes.v;
	const size_t n = h->main->tree.nodes.n;
	bool *counted = xcalloc(n + 1, sizeof(*counted));
	struct whole sum = { 0 };

	for (size_t i = 1; i < n; i++) {	/* parents come first */
		const u32 row = h->node_row[i] & ROW_MASK;

		counted[i] = counted[nodes[i].parent];
		if (counted[i] || row <= er->base || row - er->base > er->rows.n ||
		    !by_row[row - er->base - 1])
			continue;
		counted[i] = true;
		sum.t.period += h->total[i].period;
		sum.t.n += h->total[i].n;
		sum.latency += h->latency ? h->latency[i] : 0;
	}
	free(counted);
	return sum;
}

/* Without stacks it is not known which callers' rows share samples: then it is the sum of what
 * ended in the rows, or the most that one of them has. */
static struct whole count_member(const struct hist_rows *v, size_t m, const bool *passes)
{
	const struct hist *h = v->r.h;
	const struct event_rows *er = &h->by_event[v->r.members[m].e->index];
	const bool stacks = h->opts.children && !h->flat;
	bool *by_row = xcalloc(er->rows.n + 1, sizeof(*by_row));
	struct whole sum = { 0 }, most = { 0 };

	for (size_t i = 0; i < v->r.of.n; i++) {
		const struct hist_row *row = !passes[i] ? NULL :
			result_member_row(&v->r, m, v->r.of.v[i]);

		if (!row || (!m && i >= v->r.n_own))
			continue;
		by_row[row - er->rows.v] = true;
		sum.t.period += row->self;
		sum.t.n += row->self_n;
		sum.latency += row->latency;
		if (row->sum > most.t.period)
			most = (struct whole){ { row->sum, row->sum_n }, row->latency_sum };
	}
	if (stacks)
		sum = count_stacks(h, er, by_row);
	else if (most.t.period > sum.t.period)
		sum = most;
	free(by_row);
	return sum;
}

/* passes: by row of those that are not nested */
static struct hist_total count_whole(struct hist_rows *v, const bool *passes)
{
	struct hist_total all = { 0 };

	for (size_t m = 0; m < v->r.n; m++) {
		struct member *member = &v->r.members[m];
		const struct whole part = passes ? count_member(v, m, passes) :
			(struct whole){ v->r.h->opts.relative ?
					hist_filtered_total(v->r.h, member->e) :
					hist_total(v->r.h, member->e),
					hist_latency_whole(v->r.h, member->e) };

		member->total = part.t.period;
		member->latency = part.latency;
		all.period += part.t.period;
		all.n += part.t.n;
	}
	return all;
}

struct hist_total hist_rows_whole(struct hist_rows *v, const bool *passes, bool relative)
{
	struct hist_total all;
	bool *flat = NULL;

	if (v->nest && passes) {
		flat = xcalloc(v->r.of.n + 1, sizeof(*flat));
		for (size_t i = 0; i < v->t.rows.n; i++)
			if (nest_flat(v->nest, i) != NEST_INNER)
				flat[nest_flat(v->nest, i)] = passes[i];
	}
	all = count_whole(v, !relative ? NULL : flat ? flat : passes);
	if (v->nest)
		nest_count(v->nest, flat);
	for (size_t i = 0; !v->nest && i < v->t.rows.n; i++)
		fill_cells(&v->r, v->r.of.v[i], v->t.rows.v[i].cells);
	free(flat);
	return all;
}

u64 hist_rows_total(const struct hist_rows *v) { return v->r.members[0].total; }
