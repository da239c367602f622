// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>

#include "util/base/num.h"

#define GOOD(fn, text, value) do { \
		CHECK(fn(text, &v)); \
		CHECK_EQ(v, value); \
	} while (0)
/* A refused text leaves the result alone. */
#define BAD(fn, text) do { \
		v = 77; \
		CHECK(!fn(text, &v)); \
		CHECK_EQ(v, 77); \
	} while (0)

TEST(u64)
{
	u64 v = 0;

	GOOD(parse_u64, "0", 0);
	GOOD(parse_u64, "1234567890", 1234567890);
	GOOD(parse_u64, "0x1F", 31);
	GOOD(parse_u64, "0Xff", 255);
	GOOD(parse_u64, "0755", 493);
	GOOD(parse_u64, "18446744073709551615", UINT64_MAX);
	GOOD(parse_u64, "0xffffffffffffffff", UINT64_MAX);
	GOOD(parse_u64, "01777777777777777777777", UINT64_MAX);
	static const char *const bad[] = { "", " 1", "1 ", "-1", "+1", "0x", "08", "1a",
					   "18446744073709551616",
					   "0x10000000000000000", "02000000000000000000000",
					   "99999999999999999999", "1.0" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		BAD(parse_u64, bad[i]);
}

TEST(s64_and_int)
{
	s64 v = 0;

	GOOD(parse_s64, "-9223372036854775808", INT64_MIN);
	GOOD(parse_s64, "9223372036854775807", INT64_MAX);
	GOOD(parse_s64, "+5", 5);
	GOOD(parse_s64, "-0x10", -16);
	BAD(parse_s64, "-9223372036854775809");
	BAD(parse_s64, "9223372036854775808");
	BAD(parse_s64, "--1");
	BAD(parse_s64, "-");
	BAD(parse_s64, "+-1");
	int i = 0;

	CHECK(parse_int("-2147483648", &i));
	CHECK_EQ(i, INT_MIN);
	CHECK(parse_int("2147483647", &i));
	CHECK_EQ(i, INT_MAX);
	CHECK(!parse_int("2147483648", &i));
	CHECK(!parse_int("-2147483649", &i));
	CHECK_EQ(i, INT_MAX);
}

TEST(real)
{
	double v = 0;

	GOOD(parse_double, "1.5", 1.5);
	GOOD(parse_double, "-2", -2.0);
	GOOD(parse_double, ".5", 0.5);
	GOOD(parse_double, "1e3", 1000.0);
	BAD(parse_double, "");
	BAD(parse_double, "inf");
	BAD(parse_double, "nan");
	BAD(parse_double, "1e999");
	BAD(parse_double, " 1");
	BAD(parse_double, "1,5");
	BAD(parse_double, ".");
	BAD(parse_double, "1x");
}

TEST(hex)
{
	u64 v = 0;

	GOOD(parse_hex, "ffffffff81000000", 0xffffffff81000000ULL);
	GOOD(parse_hex, "0x10", 16);
	GOOD(parse_hex, "10", 16);
	BAD(parse_hex, "0x");
	BAD(parse_hex, "g");
	BAD(parse_hex, "");
	BAD(parse_hex, "10000000000000000");
}

TEST(size)
{
	u64 v = 0;

	GOOD(parse_size, "100", 100);
	GOOD(parse_size, "512B", 512);
	GOOD(parse_size, "4k", 4096);
	GOOD(parse_size, "4K", 4096);
	GOOD(parse_size, "16M", 16ULL << 20);
	GOOD(parse_size, "16MB", 16ULL << 20);
	GOOD(parse_size, "1G", 1ULL << 30);
	GOOD(parse_size, "2T", 2ULL << 40);
	GOOD(parse_size, "16777215T", 16777215ULL << 40);
	BAD(parse_size, "16777216T");
	BAD(parse_size, "18446744073709551615k");
	BAD(parse_size, "k");
	BAD(parse_size, "4kk");
	BAD(parse_size, "4x");
	BAD(parse_size, "-1M");
	BAD(parse_size, "1.5M");
	BAD(parse_size, "");
}

static bool duration_ms(const char *s, u64 *ns)
{
	return parse_duration(s, 1000000, ns);
}

TEST(duration)
{
	u64 v = 0;

	GOOD(duration_ms, "5", 5000000);
	GOOD(duration_ms, "100ms", 100000000);
	GOOD(duration_ms, "5s", 5000000000ULL);
	GOOD(duration_ms, "2us", 2000);
	GOOD(duration_ms, "300ns", 300);
	GOOD(duration_ms, "1m", 60000000000ULL);
	GOOD(duration_ms, "1h", 3600000000000ULL);
	GOOD(duration_ms, "1.5s", 1500000000);
	GOOD(duration_ms, ".25", 250000);
	GOOD(duration_ms, "0.000000001s", 1);
	GOOD(duration_ms, "18446744073s", 18446744073000000000ULL);
	BAD(duration_ms, "18446744074s");
	BAD(duration_ms, "99999999999999999999");
	BAD(duration_ms, "5 s");
	BAD(duration_ms, "s");
	BAD(duration_ms, ".");
	BAD(duration_ms, "-5s");
	BAD(duration_ms, "5ss");
	BAD(duration_ms, "");
}

TEST(time)
{
	u64 v = 0;

	GOOD(parse_time_ns, "12.000345678", 12000345678ULL);
	GOOD(parse_time_ns, "0", 0);
	GOOD(parse_time_ns, "12.5", 12500000000ULL);
	GOOD(parse_time_ns, "12.", 12000000000ULL);
	GOOD(parse_time_ns, ".1", 100000000);
	/* a double has not these digits */
	GOOD(parse_time_ns, "9007199.254740993", 9007199254740993ULL);
	GOOD(parse_time_ns, "18446744073.709551615", UINT64_MAX);
	BAD(parse_time_ns, "18446744073.709551616");
	BAD(parse_time_ns, "1.0000000001");
	BAD(parse_time_ns, "");
	BAD(parse_time_ns, ".");
	BAD(parse_time_ns, "1.2.3");
	BAD(parse_time_ns, "1s");
}

static void check_list(const char *in, const char *want)
{
	struct str s = STR_INIT;
	struct err err = ERR_INIT;
	int_vec v = { 0 };

	CHECK_EQ(parse_int_list(in, &v, &err), 0);
	str_add_int_list(&s, v.v, v.n);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
	vec_free(&v);
}

TEST(int_list)
{
	check_list("0", "0");
	check_list("0-3,7,9-11", "0-3,7,9-11");
	check_list("9,3,1,2,3,1-2", "1-3,9");
	check_list("5-5", "5");
	check_list("2147483646-2147483647", "2147483646-2147483647");
	check_list("0-63\n", "0-63");
}

TEST(int_list_refused)
{
	static const char *const bad[] = { "", ",", "1,", ",1", "1-", "-1", "3-1", "1,,2", "a",
					   "1 2", "0-4294967295", "2147483648",
					   "0-99999999", "1-2-3", "0x1", "99999999999999999999",
					   "\n" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct err err = ERR_INIT;
		int_vec v = { 0 };

		vec_push(&v, 42);
		CHECK(parse_int_list(bad[i], &v, &err) < 0);
		CHECK(err.code && err.msg && strstr(err.msg, "bad list"));
		CHECK_EQ(v.n, 1);
		CHECK_EQ(v.v[0], 42);
		err_release(&err);
		vec_free(&v);
	}
}

TEST(time_text)
{
	struct str s = STR_INIT;

	str_add_time(&s, 12000345678ULL, 6);
	str_addch(&s, ' ');
	str_add_time(&s, 12000345678ULL, 9);
	str_addch(&s, ' ');
	str_add_time(&s, 999, 6);
	str_addch(&s, ' ');
	str_add_time(&s, UINT64_MAX, 9);
	str_addch(&s, ' ');
	str_add_time(&s, 1999999999, 0);
	CHECK_STR(s.buf, "12.000345 12.000345678 0.000000 18446744073.709551615 1");
	str_release(&s);
}

TEST(grouped_in_the_c_locale)
{
	struct str s = STR_INIT;

	setlocale(LC_ALL, "C");
	str_add_grouped(&s, 1234567);
	CHECK_STR(s.buf, "1234567");
	str_release(&s);
}

TEST(doubles_that_no_u64_holds)
{
	CHECK_EQ(u64_of(0x1p64), UINT64_MAX);
	CHECK_EQ(u64_of(1e300), UINT64_MAX);
	CHECK_EQ(u64_of(__builtin_inf()), UINT64_MAX);
	CHECK_EQ(u64_of(-1.5), 0u);
	CHECK_EQ(u64_of(-__builtin_inf()), 0u);
	CHECK_EQ(u64_of(__builtin_nan("")), 0u);
	CHECK_EQ(u64_of(2.75), 2u);
	CHECK_EQ(u64_of(0x1.fffffffffffffp63), 0xfffffffffffff800u);
}
