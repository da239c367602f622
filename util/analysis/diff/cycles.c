// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The blocks of code that branch stacks tell of: rows of functions become rows of their blocks. A
 * block ends with a branch; of those that end with the same one the longest names it, and the
 * cycles are the mean of all.
 */
#include <math.h>

#include "util/analysis/annotate/blocks.h"
#include "util/analysis/diff/diff-priv.h"

static int cmp_symbols(const struct symbol *a, const struct symbol *b)
{
	return (uintptr_t)a < (uintptr_t)b ? -1 : a != b;
}

static size_t first_of(const block_ends *v, const struct symbol *sym)
{
	size_t from = 0, to = v->n;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (cmp_symbols(v->v[mid].sym, sym) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static const struct diff_block *same_block(const struct diff_side *in, const struct diff_block *b)
{
	for (size_t i = 0; i < in->n_blocks; i++)
		if (in->blocks[i].start_off == b->start_off && in->blocks[i].end_off == b->end_off)
			return &in->blocks[i];
	return NULL;
}

static int by_change(const void *pa, const void *pb)
{
	const struct diff_block *a = pa, *b = pb;
	const u64 x = (u64)llabs(a->diff), y = (u64)llabs(b->diff);

	if (x != y)
		return x > y ? -1 : 1;
	if (a->start_off != b->start_off)
		return a->start_off < b->start_off ? -1 : 1;
	return a->end_off < b->end_off ? -1 : a->end_off > b->end_off;
}

static void add_blocks(struct diffing *d, const block_ends *v, struct diff_side *s)
{
	const size_t first = s->sym && s->sym->sym ? first_of(v, s->sym->sym) : v->n;
	struct diff_block *b;
	size_t n = 0;

	while (first + n < v->n && v->v[first + n].sym == s->sym->sym)
		n++;
	s->blocks = b = arena_alloc(&d->out->arena, (n + 1) * sizeof(*b));
	s->n_blocks = n;
	for (size_t i = 0; i < n; i++) {
		const struct block_end *e = &v->v[first + i];
		const u64 start = e->sym->start_rva;

		b[i].start_off = e->start_rva == BLOCK_NO_START ? 0 : e->start_rva - start;
		b[i].end_off = e->end_rva - start;
		b[i].cycles = e->cycles.sum / e->cycles.n;
		b[i].n_first = e->cycles.n_first;
		for (unsigned k = 0; k < b[i].n_first; k++)
			b[i].first[k] = e->cycles.first[k].cycles;
	}
}

static void compare_times(struct diff_block *b, const struct diff_block *old)
{
	b->n_differ = MIN(b->n_first, old->n_first);
	for (unsigned k = 0; k < b->n_differ; k++)
		b->differ[k] = b->first[k] > old->first[k] ? b->first[k] - old->first[k] :
			old->first[k] - b->first[k];
}

static void pair_blocks(const struct diff_side *base, struct diff_side *s)
{
	for (size_t i = 0; i < s->n_blocks; i++) {
		const struct diff_block *old = same_block(base, &s->blocks[i]);

		s->blocks[i].paired = old != NULL;
		s->blocks[i].diff = old ? (s64)s->blocks[i].cycles - (s64)old->cycles : 0;
		if (old)
			compare_times(&s->blocks[i], old);
	}
	if (s->n_blocks)
		qsort(s->blocks, s->n_blocks, sizeof(*s->blocks), by_change);
}

/* One a block, as many as each recording has that has the function; one without blocks where that
 * is the baseline alone. */
static size_t rows_of(const struct diffing *d, const struct diff_row *r)
{
	size_t n = SIZE_MAX;

	for (size_t i = 1; i < d->n; i++)
		if (r->sides[i].has)
			n = MIN(n, r->sides[i].n_blocks);
	if (n == SIZE_MAX)
		return 1;
	return r->sides[0].has ? MIN(n, r->sides[0].n_blocks) : n;
}

void diff_make_blocks(struct diffing *d)
{
	const size_t n = d->rows.n;
	block_ends *v = xcalloc(d->n, sizeof(*v));
	__typeof__(d->rows) rows = { 0 };

	for (size_t i = 0; i < d->n; i++)
		code_blocks_by_end(d->files[i].blocks, &v[i]);
	for (size_t k = 0; k < n; k++) {
		struct diff_row *r = &d->rows.v[k];

		for (size_t i = 0; i < d->n; i++)
			add_blocks(d, &v[i], &r->sides[i]);
		for (size_t i = 1; i < d->n; i++)
			pair_blocks(&r->sides[0], &r->sides[i]);
		const size_t n_blocks = rows_of(d, r);

		r->hidden = !n_blocks;	/* it counts for the widths of columns */
		for (size_t b = 0; b < MAX(n_blocks, (size_t)1); b++) {
			r->block = b;
			vec_push(&rows, *r);
		}
	}
	for (size_t i = 0; i < d->n; i++)
		vec_free(&v[i]);
	free(v);
	vec_free(&d->rows);
	d->rows.v = rows.v;
	d->rows.n = rows.n;
	d->rows.cap = rows.cap;
}

const struct diff_block *diff_block_of(const struct diff_row *r, size_t file)
{
	const struct diff_side *s = &r->sides[file];

	return s->has && r->block < s->n_blocks ? &s->blocks[r->block] : NULL;
}

void diff_add_block_name(struct str *out, const struct diff_side *s, const struct diff_block *b)
{
	const struct symbol *sym = s->sym->sym;
	struct dso *dso = (struct dso *)s->sym->dso;

	code_block_name(out, dso, sym, b->start_off, b->end_off);
}

/* Of the mean, in percent of it. */
static double standard_error(const struct diff_block *b)
{
	const double n = b->n_differ;
	double mean = 0, squares = 0;

	for (unsigned k = 0; k < b->n_differ; k++)
		mean += b->differ[k] / n;
	for (unsigned k = 0; k < b->n_differ; k++)
		squares += (b->differ[k] - mean) * (b->differ[k] - mean);
	return mean > 0 ? 100 * sqrt(squares / (n - 1) / n) / mean : 0;
}

void diff_add_block_times(struct str *out, const struct diff_block *b)
{
	static const char *const bars[BLOCK_FIRST] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	u32 least = UINT32_MAX, most = 0;

	for (unsigned k = 0; k < b->n_differ; k++) {
		least = MIN(least, b->differ[k]);
		most = MAX(most, b->differ[k]);
	}
	if (b->n_differ < 2 || !most)
		return;
	str_addf(out, "± %4.1f%% ", standard_error(b));
	for (unsigned k = 0; k < b->n_differ; k++)
		str_add(out, bars[most == least ? 0 : (u64)(b->differ[k] - least) *
				  (BLOCK_FIRST - 1) / (most - least)]);
}
