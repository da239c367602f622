// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts by address: those that are told again and again, and fade. */
#include <string.h>

#include "tests/unit/unit.h"
#include "util/analysis/annotate/annotate.h"
#include "util/event/event.h"
#include "util/symbols/dso.h"

#define PERIOD 1000

static struct event cycles = { .name = (char *)"cycles" };
static struct symbol hot = { .start_rva = 0x1000, .end_rva = 0x2000, .name = "hot",
			     .mangled = "hot" };
static struct dso file = { .index = 1 };

static void put(struct annotate *a, u64 rva, unsigned times)
{
	struct sample s = { .event = &cycles, .period = PERIOD, .present = PERF_SAMPLE_PERIOD };
	struct resolved res = { .leaf = { .dso = &file, .sym = &hot, .rva = rva } };
	const struct sink_item it = { .sample = &s, .res = &res };

	while (times--)
		annotate_sink(a)->samples(annotate_sink(a), &it, 1);
}

static struct annotate_sum at(const struct annotate *a, u64 rva)
{
	const struct annotate_symbol *s = annotate_find(a, &hot);

	for (size_t i = 0; s && i < s->n_counts; i++)
		if (s->counts[i].rva == rva)
			return s->counts[i].sum;
	return (struct annotate_sum){ 0 };
}

static size_t n_addresses(struct annotate *a)
{
	annotate_finish(a);
	return annotate_n_symbols(a) ? annotate_find(a, &hot)->n_counts : 0;
}

TEST(counts_fade_and_are_forgotten)
{
	struct annotate *a = annotate_new(NULL);

	put(a, 0x1000, 64);
	put(a, 0x1004, 1);
	annotate_finish(a);
	annotate_decay(a, 7, 8, 100);
	CHECK_EQ(at(a, 0x1000).n, 64);		/* what was told stays */
	put(a, 0x1008, 8);
	annotate_finish(a);
	CHECK_EQ(at(a, 0x1000).n, 56);
	CHECK_EQ(at(a, 0x1000).period, 56 * PERIOD);
	CHECK_EQ(at(a, 0x1004).n, 1);
	CHECK_EQ(at(a, 0x1004).period, 875);
	CHECK_EQ(at(a, 0x1008).n, 8);
	for (int i = 0; i < 6; i++)
		annotate_decay(a, 7, 8, 100);	/* 0.875^6 of a sample: less than half */
	annotate_finish(a);
	CHECK_EQ(at(a, 0x1004).n, 0);
	CHECK_EQ(n_addresses(a), 2);
	annotate_decay(a, 0, 1, 100);
	CHECK_EQ(n_addresses(a), 0);
	annotate_free(a);
}

/* In a table that is nearly full each place that goes is in the middle of others. */
TEST(those_that_stay_are_found_when_many_go)
{
	enum { N = 6000 };
	struct annotate *a = annotate_new(NULL);
	const struct annotate_symbol *s;

	for (unsigned i = 0; i < N; i++)
		put(a, 0x1000 + 4 * i, i % 3 ? 1 : 4);
	for (int i = 0; i < 6; i++)
		annotate_decay(a, 7, 8, 2 * N);	/* by integers: of 4 samples one is left */
	for (unsigned i = 0; i < N; i += 3)
		put(a, 0x1000 + 4 * i, 1);
	CHECK_EQ(n_addresses(a), N / 3);
	s = annotate_find(a, &hot);
	for (size_t i = 0; i < s->n_counts; i++) {
		CHECK_EQ(s->counts[i].rva, 0x1000 + 12 * i);
		CHECK_EQ(s->counts[i].sum.n, 2);
	}
	annotate_free(a);
}

TEST(the_least_of_too_many_addresses_go)
{
	struct annotate *a = annotate_new(NULL);

	for (unsigned i = 0; i < 50; i++)
		put(a, 0x1000 + 4 * i, i + 1);
	annotate_finish(a);
	annotate_decay(a, 1, 1, 20);
	CHECK_EQ(n_addresses(a), 20);
	annotate_finish(a);
	CHECK_EQ(at(a, 0x1000 + 4 * 49).n, 50);
	CHECK_EQ(at(a, 0x1000 + 4 * 30).n, 31);
	CHECK_EQ(at(a, 0x1000 + 4 * 29).n, 0);
	/* nothing but those that are left fades from here on */
	annotate_decay(a, 1, 2, 20);
	annotate_finish(a);
	CHECK_EQ(at(a, 0x1000 + 4 * 49).n, 25);
	annotate_free(a);
}
