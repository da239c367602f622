// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/annotate/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "include/abi/perf_event.h"
#include "util/analysis/annotate/listing.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/event/event.h"
#include "util/stream/sink.h"

#define FIRST_SLOTS 256
#define USUAL_BITS 2		/* of CPUs that there are */

/* Open addressing; at most three quarters are used; sym NULL: an empty place. */
static struct code_block *place_of(const struct code_blocks *b, const struct code_block *what)
{
	size_t i = (size_t)hash_u64((u64)(uintptr_t)what->sym ^ what->start_rva << 20 ^
				    hash_u64(what->end_rva)) & b->mask;

	while (b->v[i].sym && (b->v[i].sym != what->sym ||
			       b->v[i].start_rva != what->start_rva ||
			       b->v[i].end_rva != what->end_rva))
		i = (i + 1) & b->mask;
	return &b->v[i];
}

static void grow(struct code_blocks *b)
{
	const struct code_blocks old = *b;

	b->mask = old.v ? 2 * (old.mask + 1) - 1 : FIRST_SLOTS - 1;
	b->v = xcalloc(b->mask + 1, sizeof(*b->v));
	for (size_t i = 0; old.v && i <= old.mask; i++)
		if (old.v[i].sym)
			*place_of(b, &old.v[i]) = old.v[i];
	free(old.v);
}

/* In the order of time. */
static void add_first(struct block_cycles *to, const struct block_cycles *c)
{
	for (unsigned k = 0; k < c->n_first; k++) {
		unsigned at = to->n_first;

		while (at && to->first[at - 1].nr > c->first[k].nr)
			at--;
		if (at == BLOCK_FIRST)
			return;
		to->n_first = MIN(to->n_first + 1, (unsigned)BLOCK_FIRST);
		memmove(&to->first[at + 1], &to->first[at],
			(to->n_first - at - 1) * sizeof(*to->first));
		to->first[at] = c->first[k];
	}
}

static void add_cycles(struct block_cycles *to, const struct block_cycles *c)
{
	if (!c->n)
		return;
	to->min = to->n ? MIN(to->min, c->min) : c->min;
	to->max = MAX(to->max, c->max);
	to->n += c->n;
	to->sum += c->sum;
	add_first(to, c);
}

static void add_counts(struct block_counts *to, const struct block_counts *c)
{
	to->n += c->n;
	for (size_t i = 0; i < BRANCH_COUNTERS_MAX; i++) {
		to->sum[i] += c->sum[i];
		to->full[i] |= c->full[i];
	}
}

static void add(struct code_blocks *b, const struct code_block *what)
{
	struct code_block *to;

	if (b->n * 4 >= (b->mask + 1) * 3 || !b->v)
		grow(b);
	to = place_of(b, what);
	if (!to->sym) {
		*to = *what;
		b->n++;
		return;
	}
	to->n += what->n;
	to->n_predicted += what->n_predicted;
	add_cycles(&to->cycles, &what->cycles);
	add_counts(&to->counts, &what->counts);
}

/* The first counter has the lowest bits. */
static struct block_counts counts_of(const struct branch_counters *c, u64 word)
{
	const u64 most = (1ULL << c->bits) - 1;
	struct block_counts all = { .n = 1 };

	for (unsigned i = 0; i < c->n; i++, word >>= c->bits) {
		all.sum[i] = word & most;
		all.full[i] = all.sum[i] == most;
	}
	return all;
}

void code_blocks_add(struct code_blocks *b, const struct branch_view *stack,
		     const struct location *ends)
{
	const u64 *counters = b->counters.n ? stack->counters : NULL;
	/* as upstream perf takes it: where the newest has none, the CPU does not count them */
	const bool timed = stack->n && stack->entries[0].cycles;

	for (u64 i = 0; i < stack->n; i++) {	/* the newest branch is the first */
		const struct perf_branch_entry *e = &stack->entries[i];
		const struct location *from = &ends[2 * i];
		const struct location *before = i + 1 < stack->n ? &ends[2 * i + 3] : NULL;
		const bool whole = before && before->sym == from->sym && before->rva <= from->rva;
		const u64 cycles = timed ? e->cycles : 0;

		if (!from->sym || (!whole && !cycles && !counters))
			continue;
		add(b, &(struct code_block){
			.sym = from->sym, .dso = from->dso, .end_rva = from->rva,
			.start_rva = whole ? before->rva : BLOCK_NO_START,
			.n = whole, .n_predicted = whole && e->predicted,
			.cycles = { .n = cycles != 0, .sum = cycles, .min = cycles, .max = cycles,
				    .n_first = cycles != 0,
				    .first = { { b->n_branches + stack->n - i, (u32)cycles } } },
			.counts = counters ? counts_of(&b->counters, counters[i]) :
				  (struct block_counts){ 0 },
		});
	}
	b->n_branches += stack->n;
}

void code_blocks_merge(struct code_blocks *into, const struct code_blocks *from)
{
	for (size_t i = 0; from->v && i <= from->mask; i++) {
		struct code_block later = from->v[i];

		if (!later.sym)
			continue;
		for (unsigned k = 0; k < later.cycles.n_first; k++)
			later.cycles.first[k].nr += into->n_branches;
		add(into, &later);
	}
	into->n_branches += from->n_branches;
}

void code_blocks_release(struct code_blocks *b)
{
	free(b->v);
	*b = (struct code_blocks){ 0 };
}

/* ---- counters ---- */

static bool has_counter(const struct event *e)
{
	return e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK &&
		e->attr.branch_sample_type & ABI_SAMPLE_BRANCH_COUNTERS;
}

/* Those of the first group that has some: each has its place by the order there. */
void branch_counters_find(struct branch_counters *c, const struct event_list *l, unsigned bits)
{
	const struct event *leader = NULL;

	*c = (struct branch_counters){ .bits = bits && bits <= 64 / BRANCH_COUNTERS_MAX ? bits :
						USUAL_BITS };
	for vec_each(e, &l->events) {
		if (!has_counter(*e) || (leader && (*e)->leader != leader) ||
		    c->n == BRANCH_COUNTERS_MAX)
			continue;
		leader = (*e)->leader;
		c->of[c->n++] = *e;
	}
}

/* ---- by instruction ---- */

/* As long as its blocks are not all seen the longest is that of those so far, first where it
 * starts. Of a single instruction cycles are known, but not of how many instructions: so upstream
 * perf has it. */
static void add_block(struct insn_blocks *v, const struct listing *l, u32 *first,
		      const struct code_block *block)
{
	const u32 start = listing_insn_at(l, block->start_rva),
		end = listing_insn_at(l, block->end_rva);
	const struct block_cycles *c = &block->cycles;

	/* none that was taken begins within an instruction */
	if (end == LISTING_NONE || l->insns.v[end].i.rva != block->end_rva)
		return;
	add_cycles(&v[end].cycles, c);
	add_counts(&v[end].counts, &block->counts);
	if (start == LISTING_NONE)
		return;
	v[start].n_to += block->n;
	v[end].n_from += block->n;
	v[end].n_predicted += block->n_predicted;
	v[start].n_ran += block->n;
	v[end + 1].n_ran -= block->n;	/* of all: summed up at the end */
	if (c->sum && start < end && start < first[end]) {
		first[end] = start;
		v[end].longest_insns = (end - start + 1) * c->n;
		v[end].longest_cycles = c->sum;
	}
}

struct insn_blocks *code_blocks_count(const struct code_blocks *b, const struct listing *l)
{
	struct insn_blocks *v = xcalloc(l->insns.n + 2, sizeof(*v));
	u32 *first = xcalloc(l->insns.n + 1, sizeof(*first));
	bool any = false;

	for (size_t i = 0; i < l->insns.n; i++)
		first[i] = LISTING_NONE;
	for (size_t i = 0; b->v && i <= b->mask; i++) {
		if (b->v[i].sym != l->sym)
			continue;
		add_block(v, l, first, &b->v[i]);
		any = true;
	}
	for (size_t i = 1; i < l->insns.n; i++)
		v[i].n_ran += v[i - 1].n_ran;
	free(first);
	if (!any) {
		free(v);
		v = NULL;
	}
	return v;
}
