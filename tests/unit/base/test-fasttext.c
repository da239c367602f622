// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/fasttext.h"

#include <stdio.h>

#include "tests/unit/unit.h"

static void check_number(u64 v)
{
	char got[64], want[64];

	*ft_u64(got, v) = 0;
	snprintf(want, sizeof(want), "%llu", (unsigned long long)v);
	CHECK_STR(got, want);
	CHECK_EQ(ft_u64_digits(v), (int)strlen(want));
	*ft_s64(got, (s64)v) = 0;
	snprintf(want, sizeof(want), "%lld", (long long)v);
	CHECK_STR(got, want);
	*ft_s64_right(got, (s64)v, 12) = 0;
	snprintf(want, sizeof(want), "%12lld", (long long)v);
	CHECK_STR(got, want);
	*ft_hex(got, v) = 0;
	snprintf(want, sizeof(want), "%llx", (unsigned long long)v);
	CHECK_STR(got, want);
	CHECK_EQ(ft_hex_digits(v), (int)strlen(want));
	*ft_hex_16(got, v) = 0;
	snprintf(want, sizeof(want), "%16llx", (unsigned long long)v);
	CHECK_STR(got, want);
	*ft_hex_right(got, v, 9) = 0;
	snprintf(want, sizeof(want), "%9llx", (unsigned long long)v);
	CHECK_STR(got, want);
}

TEST(numbers_as_printf_writes_them)
{
	u64 power = 1;

	for (int i = 0; i < 64; i++)
		for (u64 d = 0; d < 5; d++)
			check_number((1ULL << i) + d - 2);
	for (int i = 0; i < 20; i++, power *= 10)
		for (u64 d = 0; d < 3; d++)
			check_number(power + d - 1);
}

TEST(plain_prefix_ends_at_the_first_odd_byte)
{
	static const char odd[] = { 0, 1, 0x1f, 0x7f, (char)0x80, (char)0xa0, (char)0xff };
	char text[40];

	for (size_t n = 0; n < 33; n++)
		for (size_t at = 0; at <= n; at++)
			for (size_t k = 0; k < sizeof(odd); k++) {
				for (size_t i = 0; i < n; i++)
					text[i] = (char)(i % 3 == 0 ? ' ' : i % 3 == 1 ? '~' : 'a');
				text[at] = odd[k];
				CHECK_EQ(plain_prefix(text, n), at);
			}
}

TEST(copies_are_whole)
{
	const char from[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+=.,;";

	for (size_t n = 0; n <= 64; n++) {
		char to[64 + FT_SLACK];

		CHECK(ft_short(to, from, n) == to + n && !memcmp(to, from, n));
		if (n <= sizeof(from) - FT_SLACK)
			CHECK(ft_padded(to, from, n) == to + n && !memcmp(to, from, n));
	}
}
