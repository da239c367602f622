// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <math.h>

#include "util/analysis/stat/compare.h"

static u64 seed = 1;

static double uniform(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Times of runs: never less than some, mostly near it, at times far above. */
static double a_run(double of)
{
	const double late = uniform() < 0.05 ? 0.3 * uniform() : 0;

	return of * (1 + 0.01 * -log(uniform()) + late);
}

static int different(double factor, size_t n, int times)
{
	int found = 0;

	for (int t = 0; t < times; t++) {
		double a[300], b[300];
		struct stat_comparison c;

		for (size_t i = 0; i < n; i++) {
			a[i] = a_run(1);
			b[i] = a_run(factor);
		}
		stat_compare(a, b, n, &c);
		found += c.verdict == (factor < 1 ? STAT_LESS : STAT_MORE) ||
			(factor == 1 && c.verdict == STAT_LESS);
	}
	return found;
}

TEST(what_is_the_same_is_seldom_called_different)
{
	CHECK(different(1, 20, 1000) <= 30);
	CHECK(different(1, 8, 1000) <= 30);
	CHECK(different(1, 300, 300) <= 15);
}

TEST(what_differs_is_found)
{
	CHECK(different(1.03, 20, 200) > 150);
	CHECK(different(0.97, 20, 200) > 150);
	CHECK(different(1.1, 10, 200) > 150);
	CHECK(different(1.02, 300, 100) > 95);
}

TEST(numbers_of_an_interval)
{
	const double a[] = { 1, 1, 1, 1, 1, 1, 1, 1 }, b[] = { 2, 2, 2, 2, 2, 2, 2, 2 };
	struct stat_comparison c;

	stat_compare(a, b, 8, &c);
	CHECK(fabs(c.ratio - 2) < 1e-9 && fabs(c.low - 2) < 1e-9 && fabs(c.high - 2) < 1e-9);
	CHECK_EQ(c.verdict, STAT_MORE);
	stat_compare(b, a, 8, &c);
	CHECK_EQ(c.verdict, STAT_LESS);
	stat_compare(a, b, 7, &c);	/* 7 pairs are 1 of 64 by chance */
	CHECK_EQ(c.verdict, STAT_NO_DIFFERENCE);
	CHECK(c.low == 0 && isinf(c.high));
	stat_compare((const double[]){ 0, 1 }, b, 2, &c);
	CHECK_EQ(c.verdict, STAT_NO_RATIO);
}
