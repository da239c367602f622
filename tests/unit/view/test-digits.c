// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/digits.h"

#include <stdio.h>

#include "tests/unit/unit.h"

static void check_ms(u64 ns)
{
	char got[64], want[64];

	*put_ms_9(got, ns) = 0;
	*put_ms(want, ns, 9) = 0;
	CHECK_STR(got, want);
	snprintf(want, sizeof(want), "%5llu.%03llu", (unsigned long long)(ns / 1000000),
		 (unsigned long long)(ns / 1000 % 1000));
	CHECK_STR(got, want);
}

TEST(milliseconds_in_nine_columns)
{
	u64 power = 1;

	for (int i = 0; i < 20; i++, power *= 10)
		for (u64 d = 0; d < 10; d++) {
			check_ms(power * d);
			check_ms(power * d + power - 1);
			check_ms(power * d - 1);
		}
	for (u64 ns = 0; ns < 200000000000ULL; ns = ns * 21 / 20 + 977)
		check_ms(ns);
}

/* Forward, back, over the ends of seconds, and when seconds get one digit more. */
TEST(a_clock_is_what_it_shows)
{
	static const u64 times[] = {
		0, 1, 999, 999999999, 1000000000, 1000000001, 9999999999, 10000000000, 9999999999,
			5, 34451373319000, 34451999999999,
		34452000000000, 99999999999999, 100000000000000, 12345678901234567890ULL, 0,
		UINT64_MAX, 1,
	};
	static const int widths[] = { 0, 12, 15, 27 };

	for (size_t w = 0; w < ARRAY_SIZE(widths); w++) {
		struct put_clock clock = { 0 };

		for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
			char got[64], want[64];

			*put_clock(&clock, got, times[i], widths[w]) = 0;
			*put_seconds(want, times[i], widths[w]) = 0;
			CHECK_STR(got, want);
		}
	}
}
