// SPDX-License-Identifier: GPL-2.0-or-later
// mem find_bit: the set bits of a bitmap, found word by word, and by asking for each bit.
#include "util/bench/bench-priv.h"

#include <stdlib.h>

#define WORD_BITS 64
#define MOST_BITS 2048

struct bitmap { u64 words[MOST_BITS / WORD_BITS]; unsigned n_bits; };

static inline bool has_bit(const struct bitmap *m, unsigned i)
{
	return m->words[i / WORD_BITS] >> (i % WORD_BITS) & 1;
}

/* The next set bit from i on; n_bits: there is none. */
static inline unsigned next_bit(const struct bitmap *m, unsigned i)
{
	unsigned w = i / WORD_BITS;
	u64 word;

	if (i >= m->n_bits)
		return m->n_bits;
	word = m->words[w] & (~0ULL << (i % WORD_BITS));
	while (!word) {
		if (++w * WORD_BITS >= m->n_bits)
			return m->n_bits;
		word = m->words[w];
	}
	return w * WORD_BITS + (unsigned)__builtin_ctzll(word);
}

/* What is done with each bit that is found; not inlined, as the work of a loop is not. */
static __attribute__((noinline)) void use_bit(u64 *sum, unsigned i)
{
	*(volatile u64 *)sum += i;
}

static u64 visit_by_word(const struct bitmap *m, u64 *sum, int inner)
{
	const u64 from = bench_now_us();

	for (int i = 0; i < inner; i++)
		for (unsigned b = next_bit(m, 0); b < m->n_bits; b = next_bit(m, b + 1))
			use_bit(sum, b);
	return bench_now_us() - from;
}

static u64 visit_by_bit(const struct bitmap *m, u64 *sum, int inner)
{
	const u64 from = bench_now_us();

	for (int i = 0; i < inner; i++)
		for (unsigned b = 0; b < m->n_bits; b++)
			if (has_bit(m, b))
				use_bit(sum, b);
	return bench_now_us() - from;
}

static void run_row(struct bench *b, const struct bench_find_bit_opts *o, unsigned n_bits,
		    unsigned n_set)
{
	struct bitmap m = { .n_bits = n_bits };
	struct stat_spread by_word = { 0 }, by_bit = { 0 };
	u64 sum = 0;

	for (unsigned i = 0; i < n_set; i++) {
		const unsigned bit = i * (n_bits / n_set);

		m.words[bit / WORD_BITS] |= 1ULL << (bit % WORD_BITS);
	}
	for (int i = 0; i < o->outer; i++) {
		stat_spread_add(&by_word, (double)visit_by_word(&m, &sum, o->inner));
		stat_spread_add(&by_bit, (double)visit_by_bit(&m, &sum, o->inner));
	}
	fprintf(b->out, "%d operations %u bits set of %u bits\n", o->inner, n_set, n_bits);
	fprintf(b->out, "  Average for_each_set_bit took: %.3f usec (+- %.3f usec)\n", by_word.mean,
		stat_spread_error(&by_word));
	fprintf(b->out, "  Average test_bit loop took:    %.3f usec (+- %.3f usec)\n", by_bit.mean,
		stat_spread_error(&by_bit));
}

int bench_find_bit(struct bench *b, const void *opts, struct err *err)
{
	(void)err;
	for (unsigned n_bits = 1; n_bits <= MOST_BITS; n_bits *= 2)
		for (unsigned n_set = 1; n_set <= n_bits; n_set *= 2)
			run_row(b, opts, n_bits, n_set);
	return 0;
}
