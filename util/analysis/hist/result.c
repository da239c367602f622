// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of the histogram as a table of cells.
 */
#include "util/analysis/hist/hist-priv.h"
#include "util/base/pool.h"

struct member { const struct event *e; u64 total; };

struct result {
	struct hist *h;
	const struct hist_view_opts *opts;
	struct member *members;		/* of the group, or the one event */
	size_t n;
	struct hmap *rows;		/* per member: key of (gid, fid) -> row */
	struct table *t;
	VEC(const struct hist_row *) of;	/* by table row */
	size_t n_own;			/* rows of the event; those after them only members have */
	u32 *order;			/* of the own rows, as numbers among the event's */
};

static u64 total_of(const struct hist *h, const struct event *e)
{
	return h->opts.relative ? hist_filtered_total(h, e).period : hist_total(h, e).period;
}

static void add_columns(struct result *r)
{
	const struct hist_keys *keys = r->h->opts.keys;

	for (size_t i = 0; i < keys->cols.n; i++) {
		const struct key *k = &keys->cols.v[i];
		size_t copies = k->def->level == KEY_VALUE ? r->n : 1;

		for (size_t m = 0; !k->elided && m < copies; m++) {
			struct column *c = table_add_column(r->t, k->arg ? k->arg : k->def->name,
							    k->title ? k->title : k->def->title);

			c->right = k->def->right;
			c->trim = k->def->trim;
			c->none = k->def->none;
			c->form = k->def->form;
			c->decimals = k->def->decimals ? k->def->decimals : 2;
			c->min_width = k->width ? k->width : k->def->width;
			c->width = k->def->fixed ? k->def->width : 0;
			c->member = (u16)m;
			c->n_members = (u16)copies;
		}
	}
}

static const struct hist_row *member_row(const struct result *r, size_t m,
					 const struct hist_row *row)
{
	return m ? hmap_get(&r->rows[m], (u64)row->gid << 32 | row->fid) : row;
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
				const struct hist_row *mr = member_row(r, m, row);
				struct row_values v = { mr ? mr : &none, r->members[m].total };

				k->def->value_cell(&v, &cells[at++]);
			}
			continue;
		}
		word = k->def->level == KEY_SAMPLE ? idset_at(&r->h->sh.gids, row->gid)[ns++]
						    : idset_at(&r->h->sh.fids, row->fid)[nf++];
		if (!k->elided)
			k->def->cell(k, word, r->t, &cells[at++]);
	}
}

static void init_members(struct result *r, const struct event *e)
{
	const struct event_list *l = r->h->opts.events;

	r->members = xcalloc(l->events.n + 1, sizeof(*r->members));
	r->members[r->n++] = (struct member){ e, total_of(r->h, e) };
	for (size_t i = 0; r->opts->group && i < l->events.n; i++) {
		const struct event *m = l->events.v[i];

		if (m != e && !m->dummy && m->leader == e->leader)
			r->members[r->n++] = (struct member){ m, total_of(r->h, m) };
	}
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
		const struct hist_row *x = member_row(t->r, m, &t->er->rows.v[a]),
			*y = member_row(t->r, m, &t->er->rows.v[b]);
		struct row_values vx = { x ? x : &none, 1 }, vy = { y ? y : &none, 1 };
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
		const struct hist_row *mr = member_row(r, m, row);

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

static void make_trees(struct result *r, const struct event_rows *er)
{
	struct row_nodes nodes = { 0 };
	struct tree_job job = { .r = r, .nodes = &nodes, .er = er };
	struct pool *pool;

	for (size_t i = 0; i < r->n_own; i++) {
		if (r->t->rows.v[i].hidden)
			continue;
		r->t->rows.v[i].tree = table_new_tree(r->t);
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
		if (r->opts->max_rows && n_shown == r->opts->max_rows)
			break;
	}
	r->n_own = r->t->rows.n;
	if (r->n > 1 && !r->opts->max_rows)
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

void hist_table(struct hist *h, const struct event *e, const struct hist_view_opts *opts,
		struct table *out)
{
	struct result r = { .h = h, .opts = opts, .t = out };

	make_rows(&r, e);
	if (opts->chain.mode != CHAIN_NONE && h->opts.callgraph)
		make_trees(&r, &h->by_event[e->index]);
	release_result(&r);
}

/* ---- one by one ---- */

struct hist_rows {
	struct result r;
	const struct event *e;
	struct hist_view_opts opts;
	struct table t;
	struct row_nodes nodes;		/* when the first tree is asked for */
	struct row_scratch *scratch;
};

struct hist_rows *hist_rows_new(struct hist *h, const struct event *e,
				const struct hist_view_opts *opts)
{
	struct hist_rows *v = xnew(struct hist_rows);

	v->e = e;
	v->opts = *opts;
	v->r = (struct result){ .h = h, .opts = &v->opts, .t = &v->t };
	make_rows(&v->r, e);
	return v;
}

void hist_rows_free(struct hist_rows *v)
{
	if (!v)
		return;
	release_result(&v->r);
	table_release(&v->t);
	row_nodes_release(&v->nodes);
	row_scratch_free(v->scratch);
	free(v);
}

const struct table *hist_rows_table(const struct hist_rows *v) { return &v->t; }

const struct hist_row *hist_rows_at(const struct hist_rows *v, size_t i) { return v->r.of.v[i]; }

const struct call_tree *hist_rows_tree(struct hist_rows *v, size_t i)
{
	const struct event_rows *er = &v->r.h->by_event[v->e->index];
	struct call_tree *tree = v->t.rows.v[i].tree;

	if (tree || i >= v->r.n_own || v->opts.chain.mode == CHAIN_NONE ||
	    !v->r.h->opts.callgraph)
		return tree;
	if (!v->scratch) {
		row_nodes_init(&v->nodes, v->r.h);
		v->scratch = row_scratch_new(v->r.h);
	}
	tree = v->t.rows.v[i].tree = table_new_tree(&v->t);
	hist_row_tree(v->r.h, &v->nodes, er->base + v->r.order[i] + 1, &v->opts.chain,
		      v->r.members[0].total, v->scratch, tree);
	return tree;
}

/* Stacks with a row of this event that passes count once. by_row: whether rows pass. */
static struct hist_total count_stacks(const struct hist *h, const struct event_rows *er,
				      const bool *by_row)
{
	const struct cct_node *nodes = h->main->tree.nodes.v;
	const size_t n = h->main->tree.nodes.n;
	bool *counted = xcalloc(n + 1, sizeof(*counted));
	struct hist_total sum = { 0 };

	for (size_t i = 1; i < n; i++) {	/* parents come first */
		const u32 row = h->node_row[i] & ROW_MASK;

		counted[i] = counted[nodes[i].parent];
		if (counted[i] || row <= er->base || row - er->base > er->rows.n ||
		    !by_row[row - er->base - 1])
			continue;
		counted[i] = true;
		sum.period += h->total[i].period;
		sum.n += h->total[i].n;
	}
	free(counted);
	return sum;
}

/* Without stacks it is not known which callers' rows share samples: then it is the sum of what
 * ended in the rows, or the most that one of them has. */
static struct hist_total count_member(const struct hist_rows *v, size_t m, const bool *passes)
{
	const struct hist *h = v->r.h;
	const struct event_rows *er = &h->by_event[v->r.members[m].e->index];
	const bool stacks = h->opts.children && !h->flat;
	bool *by_row = xcalloc(er->rows.n + 1, sizeof(*by_row));
	struct hist_total sum = { 0 }, most = { 0 };

	for (size_t i = 0; i < v->r.of.n; i++) {
		const struct hist_row *row = passes[i] ? member_row(&v->r, m, v->r.of.v[i]) : NULL;

		if (!row || (!m && i >= v->r.n_own))
			continue;
		by_row[row - er->rows.v] = true;
		sum.period += row->self;
		sum.n += row->self_n;
		if (row->sum > most.period)
			most = (struct hist_total){ row->sum, row->sum_n };
	}
	if (stacks)
		sum = count_stacks(h, er, by_row);
	else if (most.period > sum.period)
		sum = most;
	free(by_row);
	return sum;
}

struct hist_total hist_rows_whole(struct hist_rows *v, const bool *passes)
{
	struct hist_total all = { 0 };

	for (size_t m = 0; m < v->r.n; m++) {
		struct member *member = &v->r.members[m];
		const struct hist_total part = passes ? count_member(v, m, passes) :
			v->r.h->opts.relative ? hist_filtered_total(v->r.h, member->e) :
			hist_total(v->r.h, member->e);

		member->total = part.period;
		all.period += part.period;
		all.n += part.n;
	}
	for (size_t i = 0; i < v->t.rows.n; i++)
		fill_cells(&v->r, v->r.of.v[i], v->t.rows.v[i].cells);
	return all;
}

u64 hist_rows_total(const struct hist_rows *v) { return v->r.members[0].total; }
