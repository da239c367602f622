// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of an event as a tree, a level a key column.
#include "util/analysis/hist/nest-priv.h"
#include "util/analysis/hist/shares.h"

#include <limits.h>

struct entry {
	u32 parent;		/* entry + 1; 0: none */
	u32 level;
	u32 flat;		/* row of the result's table; or NEST_INNER */
	u32 first;		/* the first of these rows that it holds, or itself */
};

struct nest {
	const struct result *r;
	struct table *t;
	VEC(u32) levels;	/* key columns that are shown, from the top */
	VEC(struct entry) entries;
	struct hist_row *sums;	/* by entry and member */
	u32 *leaf_of;		/* by row of the result's table: its entry */
	u32 *at;		/* by row of t: its entry */
};

static struct hist_row *sums_of(const struct nest *n, u32 entry, size_t member)
{
	return &n->sums[(size_t)entry * n->r->n + member];
}

static u64 word_of(const struct nest *n, u32 flat, size_t key)
{
	return hist_row_word(n->r->h, n->r->of.v[flat], key);
}

/* ---- which entries there are ---- */

static void choose_levels(struct nest *n)
{
	const struct hist_keys *keys = n->r->h->opts.keys;

	for (size_t i = 0; i < keys->cols.n; i++)
		if (keys->cols.v[i].def->level != KEY_VALUE && !keys->cols.v[i].elided)
			vec_push(&n->levels, (u32)i);
}

static void make_entries(struct nest *n)
{
	const size_t rows = n->r->of.n;
	struct idset ids;	/* of parent and word: entries but for the last level's */
	VEC(u32) entry_of = { 0 };

	idset_init(&ids, 2);
	n->leaf_of = xcalloc(rows + 1, sizeof(*n->leaf_of));
	for (u32 i = 0; i < rows; i++) {
		u32 parent = 0;

		for (u32 l = 0; l + 1 < n->levels.n; l++) {
			const u64 key[2] = { parent, word_of(n, i, n->levels.v[l]) };
			const u32 id = idset_get(&ids, key);

			if (id == entry_of.n) {
				vec_push(&entry_of, (u32)n->entries.n + 1);
				vec_push(&n->entries, ((struct entry){ parent, l, NEST_INNER, i }));
			}
			parent = entry_of.v[id];
		}
		n->leaf_of[i] = (u32)n->entries.n;
		vec_push(&n->entries, ((struct entry){ parent, n->levels.n ?
				       (u32)n->levels.n - 1 : 0, i, i }));
	}
	vec_free(&entry_of);
	idset_release(&ids);
}

/* ---- what they count ---- */

static void add_self(struct hist_row *to, const struct hist_row *from)
{
	to->self += from->self;
	to->self_n += from->self_n;
	to->latency += from->latency;
	for (int i = 0; i < 4; i++)
		to->by_mode[i] += from->by_mode[i];
	for (int i = 0; i < 3; i++)
		to->weights[i] += from->weights[i];
}

static void add_shares(struct nest *n, struct hist_row *to, const struct hist_row *from)
{
	if (from->shares && !to->shares)
		to->shares = arena_alloc(&n->r->h->main->arena, N_SHARES * sizeof(u64));
	for (int i = 0; from->shares && i < N_SHARES; i++)
		to->shares[i] += from->shares[i];
}

static void add_branches(struct nest *n, struct hist_row *to, const struct hist_row *from)
{
	if (!from->branches)
		return;
	if (!to->branches)
		to->branches = arena_alloc(&n->r->h->main->arena, sizeof(*to->branches));
	branch_counts_add(to->branches, from->branches);
}

/* Totals: of callers whose stacks are not known, the most that is sure. */
static void add_row(struct nest *n, u32 flat, size_t m, const struct hist_row *row)
{
	const u32 leaf = n->leaf_of[flat];

	*sums_of(n, leaf, m) = *row;
	for (u32 e = n->entries.v[leaf].parent; e; e = n->entries.v[e - 1].parent) {
		struct hist_row *to = sums_of(n, e - 1, m);

		add_self(to, row);
		add_branches(n, to, row);
		add_shares(n, to, row);
		to->sum = MAX(MAX(to->sum, row->sum), to->self);
		to->sum_n = MAX(MAX(to->sum_n, row->sum_n), to->self_n);
		to->latency_sum = MAX(MAX(to->latency_sum, row->latency_sum), to->latency);
	}
}

struct walk {
	struct nest *n;
	size_t member;
	u32 base;
	size_t n_rows;
	u32 *leaf;		/* by row of the member's event: its entry + 1; 0: none */
	u32 *on_path;		/* by entry: how often on the path to this node */
};

static u32 parent_at(const struct walk *w, u32 node)
{
	const u32 row = w->n->r->h->node_row[node] & ROW_MASK;
	const u32 leaf = row > w->base && row - w->base <= w->n_rows ?
		w->leaf[row - w->base - 1] : 0;

	return leaf ? w->n->entries.v[leaf - 1].parent : 0;
}

static void enter(struct walk *w, u32 node)
{
	const struct hist_total *total = &w->n->r->h->total[node];

	for (u32 e = parent_at(w, node); e; e = w->n->entries.v[e - 1].parent) {
		struct hist_row *to = sums_of(w->n, e - 1, w->member);

		if (w->on_path[e - 1]++)
			continue;
		to->sum += total->period;
		to->sum_n += total->n;
		to->latency_sum += w->n->r->h->latency ? w->n->r->h->latency[node] : 0;
	}
}

static void leave(struct walk *w, u32 node)
{
	for (u32 e = parent_at(w, node); e; e = w->n->entries.v[e - 1].parent)
		w->on_path[e - 1]--;
}

/* Depth first, without recursion: chains may be deep. */
static void walk(struct walk *w)
{
	const struct hist *h = w->n->r->h;
	u32 node = h->first_child[0];

	while (node) {
		enter(w, node);
		if (h->first_child[node]) {
			node = h->first_child[node];
			continue;
		}
		for (;;) {
			leave(w, node);
			if (h->next[node]) {
				node = h->next[node];
				break;
			}
			node = h->main->tree.nodes.v[node].parent;
			if (!node)
				return;
		}
	}
}

/* The rows' stacks, each of which counts once in an entry that has several of its frames. */
static void count_stacks(struct nest *n, size_t m, const bool *passes)
{
	const struct result *r = n->r;
	const struct event_rows *er = &r->h->by_event[r->members[m].e->index];
	struct walk w = { .n = n, .member = m, .base = er->base, .n_rows = er->rows.n };

	w.leaf = xcalloc(er->rows.n + 1, sizeof(*w.leaf));
	w.on_path = xcalloc(n->entries.n + 1, sizeof(*w.on_path));
	for (u32 i = 0; i < r->of.n; i++) {
		const struct hist_row *row = !m && i >= r->n_own ? NULL :
			result_member_row(r, m, r->of.v[i]);

		if (row && (!passes || passes[i]))
			w.leaf[row - er->rows.v] = n->leaf_of[i] + 1;
	}
	for (u32 e = 0; e < n->entries.n; e++)
		if (n->entries.v[e].flat == NEST_INNER)
			sums_of(n, e, m)->sum = sums_of(n, e, m)->sum_n =
				sums_of(n, e, m)->latency_sum = 0;
	walk(&w);
	free(w.leaf);
	free(w.on_path);
}

static void count(struct nest *n, const bool *passes)
{
	const struct result *r = n->r;

	memset(n->sums, 0, n->entries.n * r->n * sizeof(*n->sums));
	for (size_t m = 0; m < r->n; m++) {
		for (u32 i = 0; i < r->of.n; i++) {
			const struct hist_row *row = result_member_row(r, m, r->of.v[i]);

			if (row && (!passes || passes[i]))
				add_row(n, i, m, row);
		}
		if (r->h->opts.children && !r->h->flat)
			count_stacks(n, m, passes);
	}
}

/* ---- order ---- */

static double value_of(const struct nest *n, const struct key_def *d, u32 entry, size_t m)
{
	const struct row_values v = { .row = sums_of(n, entry, m), .total = 1 };

	return d->value(&v);
}

static int cmp_values(const struct nest *n, const struct key_def *d, u32 a, u32 b)
{
	const size_t first = n->r->opts->by_member;

	for (size_t i = 0; i < n->r->n; i++) {
		const size_t m = (first + i) % n->r->n;
		const double x = value_of(n, d, a, m), y = value_of(n, d, b, m);

		if (x != y)
			return x > y ? -1 : 1;
	}
	return 0;
}

/* Rows that hold none are in order where their values are equal. */
static int cmp_keys(const struct nest *n, size_t key, const struct entry *a, const struct entry *b)
{
	const struct key_def *d = n->r->h->opts.keys->cols.v[key].def;
	const u64 x = word_of(n, a->first, key), y = word_of(n, b->first, key);

	if (a->flat != NEST_INNER)
		return a->flat < b->flat ? -1 : a->flat > b->flat;
	return x == y ? 0 : d->cmp ? d->cmp(x, y) : x < y ? -1 : 1;
}

static int cmp_entries(const void *pa, const void *pb, void *ctx)
{
	const struct nest *n = ctx;
	const struct hist_keys *keys = n->r->h->opts.keys;
	const u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	const struct entry *x = &n->entries.v[a], *y = &n->entries.v[b];

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	for (size_t i = 0; i < keys->sort.n; i++) {
		const u16 col = keys->sort.v[i];
		const struct key_def *d = keys->cols.v[col].def;
		int c = 0;

		if (d->level == KEY_VALUE)
			c = cmp_values(n, d, a, b);
		else if (n->levels.n && n->levels.v[x->level] == col)
			c = cmp_keys(n, col, x, y);
		if (c)
			return c;
	}
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Entries from the top down, each before what it holds. */
static void put_in_order(struct nest *n)
{
	const u32 all = (u32)n->entries.n;
	u32 *sorted = xcalloc(all + 1, sizeof(*sorted));
	u32 *next = xcalloc(all + 2, sizeof(*next));	/* by parent: of sorted */
	u32 parent = 0;

	n->at = xcalloc(all + 1, sizeof(*n->at));
	for (u32 i = 0; i < all; i++)
		sorted[i] = i;
	if (all)
		qsort_r(sorted, all, sizeof(*sorted), cmp_entries, n);
	for (u32 i = all; i-- > 0;)
		next[n->entries.v[sorted[i]].parent] = i;
	for (u32 i = 0; i < all; i++) {
		while (next[parent] == all || n->entries.v[sorted[next[parent]]].parent != parent)
			parent = n->entries.v[parent - 1].parent;
		n->at[i] = sorted[next[parent]++];
		if (n->entries.v[n->at[i]].flat == NEST_INNER)
			parent = n->at[i] + 1;
	}
	free(sorted);
	free(next);
}

/* ---- the table ---- */

static void add_columns(struct nest *n)
{
	const struct hist_keys *keys = n->r->h->opts.keys;

	for (size_t i = 0; i < keys->cols.n; i++)
		if (keys->cols.v[i].def->level == KEY_VALUE && !keys->cols.v[i].elided)
			result_add_column(n->r, n->t, i);
	for (size_t l = 0; l < n->levels.n; l++)
		result_add_column(n->r, n->t, n->levels.v[l])->level = (u16)(l + 1);
}

/* Yields how many cells it filled. */
static size_t fill_values(const struct nest *n, u32 entry, struct cell *cells)
{
	const struct hist_keys *keys = n->r->h->opts.keys;
	size_t at = 0;

	for (size_t i = 0; i < keys->cols.n; i++) {
		const struct key *k = &keys->cols.v[i];

		for (size_t m = 0; k->def->level == KEY_VALUE && !k->elided && m < n->r->n; m++) {
			const struct row_values v = { sums_of(n, entry, m),
						      n->r->members[m].total,
						      n->r->members[m].latency };

			at += result_value_cells(n->r, k, m, &v, &cells[at]);
		}
	}
	return at;
}

static bool below_limit(const struct nest *n, u32 entry)
{
	const struct hist_view_opts *o = n->r->opts;

	if (sums_of(n, entry, 0)->sum_n < o->min_n)
		return true;
	for (size_t m = 0; m < n->r->n; m++) {
		const u64 total = n->r->members[m].total;
		const double sum = (double)sums_of(n, entry, m)->sum;

		if ((total ? sum * 100 / (double)total : 0) >= o->min_pct)
			return false;
	}
	return true;
}

static void add_table_row(struct nest *n, u32 entry)
{
	const struct entry *e = &n->entries.v[entry];
	struct table_row *row = table_add_row(n->t);
	size_t at = fill_values(n, entry, row->cells);

	row->indent = (u16)e->level;
	for (size_t l = 0; l < n->levels.n; l++, at++) {
		const struct key *k = &n->r->h->opts.keys->cols.v[n->levels.v[l]];

		if (l <= e->level)
			result_key_cell(k, word_of(n, e->first, n->levels.v[l]),
					sums_of(n, entry, 0), n->t, &row->cells[at]);
		else
			row->cells[at] = cell_absent();
	}
}

/* What is below the limit is hidden, with all that it holds. */
static void hide_rows(struct nest *n)
{
	unsigned hidden = UINT_MAX;	/* the level from which on all is */
	size_t shown = 0;

	for (size_t i = 0; i < n->t->rows.n; i++) {
		struct table_row *row = &n->t->rows.v[i];

		if (row->indent <= hidden)
			hidden = UINT_MAX;
		row->hidden = hidden != UINT_MAX || below_limit(n, n->at[i]) ||
			(n->r->opts->max_rows && shown == n->r->opts->max_rows);
		shown += !row->hidden;
		if (row->hidden && hidden == UINT_MAX)
			hidden = row->indent;
	}
}

struct nest *nest_new(const struct result *r, struct table *t)
{
	struct nest *n = xnew(struct nest);

	*n = (struct nest){ .r = r, .t = t };
	choose_levels(n);
	make_entries(n);
	n->sums = xcalloc(n->entries.n * r->n + 1, sizeof(*n->sums));
	count(n, NULL);
	put_in_order(n);
	add_columns(n);
	for (size_t i = 0; i < n->entries.n; i++)
		add_table_row(n, n->at[i]);
	hide_rows(n);
	return n;
}

void nest_free(struct nest *n)
{
	if (!n)
		return;
	vec_free(&n->levels);
	vec_free(&n->entries);
	free(n->sums);
	free(n->leaf_of);
	free(n->at);
	free(n);
}

void nest_count(struct nest *n, const bool *passes)
{
	count(n, passes);
	for (size_t i = 0; i < n->t->rows.n; i++)
		fill_values(n, n->at[i], n->t->rows.v[i].cells);
}

u32 nest_flat(const struct nest *n, size_t row) { return n->entries.v[n->at[row]].flat; }
u32 nest_first(const struct nest *n, size_t row) { return n->entries.v[n->at[row]].first; }

bool nest_has(const struct nest *n, size_t row, size_t key)
{
	const struct entry *e = &n->entries.v[n->at[row]];

	if (e->flat != NEST_INNER)
		return true;
	for (size_t l = 0; l <= e->level; l++)
		if (n->levels.v[l] == key)
			return true;
	return false;
}
