// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/base/str.h"

TEST(empty_is_a_string)
{
	struct str s = STR_INIT;

	CHECK_STR(str_cstr(&s), "");
	str_reset(&s);
	str_add(&s, "");
	CHECK_STR(s.buf, "");
	CHECK_EQ(s.len, 0);
	str_release(&s);
	CHECK(!s.buf);
	char *p = str_detach(&s);

	CHECK_STR(p, "");
	free(p);
}

TEST(grows_and_keeps_its_text)
{
	struct str s = STR_INIT;

	for (int i = 0; i < 10000; i++) {
		str_addch(&s, (char)('a' + i % 26));
		CHECK_EQ(s.buf[s.len], 0);
		CHECK(s.len < s.cap);
	}
	for (int i = 0; i < 10000; i++)
		CHECK_EQ(s.buf[i], 'a' + i % 26);
	str_reset(&s);
	CHECK_STR(str_cstr(&s), "");
	str_addchn(&s, '-', 3);
	str_addchn(&s, '-', 0);
	str_addn(&s, "a\0b", 3);
	CHECK_EQ(s.len, 6);
	CHECK_MEM(s.buf, "---a\0b", 7);
	char *p = str_detach(&s);

	CHECK(!s.buf && !s.len && !s.cap);
	free(p);
}

TEST(format_longer_than_the_buffer)
{
	struct str s = STR_INIT;

	for (int n = 0; n < 300; n += 7) {
		str_reset(&s);
		str_add(&s, "<");
		str_addf(&s, "%*d>", n, 5);
		CHECK_EQ(s.len, (size_t)(n ? n : 1) + 2);
		CHECK_EQ(s.buf[s.len - 1], '>');
		CHECK_EQ(s.buf[s.len - 2], '5');
	}
	str_release(&s);
}

TEST(decimal_and_hex_as_printf)
{
	static const u64 vals[] = { 0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 12345, 0xf, 0x10,
				    0xff, 0x100, UINT32_MAX,
				    1ULL << 32, 9999999999999999999ULL, 10000000000000000000ULL,
				    INT64_MAX, UINT64_MAX };
	struct str s = STR_INIT;
	char want[64];

	for (size_t i = 0; i < ARRAY_SIZE(vals); i++) {
		str_reset(&s);
		str_add_u64(&s, vals[i]);
		snprintf(want, sizeof(want), "%" PRIu64, vals[i]);
		CHECK_STR(s.buf, want);
		for (int digits = 0; digits < 20; digits++) {
			str_reset(&s);
			str_add_hex(&s, vals[i], digits);
			snprintf(want, sizeof(want), "%0*" PRIx64, digits, vals[i]);
			CHECK_STR(s.buf, want);
			CHECK_EQ(s.len, strlen(want));
		}
	}
	for (int bit = 0; bit < 64; bit++) {
		str_reset(&s);
		str_add_hex(&s, 1ULL << bit, 1);
		snprintf(want, sizeof(want), "%llx", 1ULL << bit);
		CHECK_STR(s.buf, want);
	}
	str_release(&s);
}

static void check_safe(const char *in, size_t n, const char *want)
{
	struct str s = STR_INIT;

	str_add_safen(&s, in, n);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
}

TEST(untrusted_text_moves_no_cursor)
{
	check_safe("", 0, "");
	check_safe("plain [x]\\n", 11, "plain [x]\\n");
	check_safe("a\033[2Jb", 6, "a\\x1b[2Jb");
	check_safe("\0\n\t\x7f", 4, "\\x00\\x0a\\x09\\x7f");
	check_safe("\xc3\xa9", 2, "\xc3\xa9");			/* e acute */
	check_safe("\xc2\x9b" "1m", 4, "\\xc2\\x9b1m");		/* CSI as C1 */
	check_safe("\xc2\xa0", 2, "\xc2\xa0");			/* the first after C1 */
	check_safe("\x9b", 1, "\\x9b");				/* C1 as a raw byte */
	check_safe("\xe2\x82\xac|\xf0\x9f\x98\x80", 8, "\xe2\x82\xac|\xf0\x9f\x98\x80");
	check_safe("a\xe2\x80\xae" "b", 5, "a\\xe2\\x80\\xaeb");	/* right-to-left override */
	/* isolate, line separator */
	check_safe("\xe2\x81\xa7\xe2\x80\xa8", 6, "\\xe2\\x81\\xa7\\xe2\\x80\\xa8");
	check_safe("\xe2\x82", 2, "\\xe2\\x82");		/* cut off */
	check_safe("\xc1\x9b", 2, "\\xc1\\x9b");		/* overlong */
	check_safe("\xe0\x82\x9b", 3, "\\xe0\\x82\\x9b");	/* overlong C1 */
	check_safe("\xed\xa0\x80", 3, "\\xed\\xa0\\x80");	/* surrogate */
	check_safe("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80");
}

TEST(prefix_and_suffix)
{
	CHECK(str_has_prefix("cpu/foo", "cpu/"));
	CHECK(str_has_prefix("x", ""));
	CHECK(!str_has_prefix("cp", "cpu"));
	CHECK(str_has_suffix("a.ko.xz", ".xz"));
	CHECK(str_has_suffix("a", ""));
	CHECK(!str_has_suffix("z", ".xz"));
	CHECK(!str_has_suffix("a.xzz", ".xz"));
}

TEST(glob)
{
	static const struct {
		const char *s, *pattern;
		bool match;
	} rows[] = {
		{ "", "", true }, { "", "*", true }, { "", "?", false }, { "a", "", false },
		{ "sched:sched_switch", "sched:*", true },
		{ "sched:sched_switch", "sched:*_wakeup", false },
		{ "abc", "a?c", true }, { "ac", "a?c", false }, { "abcbc", "a*bc", true },
		{ "abcbd", "a*bc", false },
		{ "aXbXc", "*X*X*", true }, { "aXbc", "*X*X*", false }, { "abc", "***", true },
		{ "b", "[a-c]", true }, { "d", "[a-c]", false }, { "d", "[!a-c]", true },
		{ "b", "[^a-c]", false },
		{ "]", "[]]", true }, { "-", "[a-]", true }, { "-", "[-a]", true },
		{ "a", "[]a]", true },
		{ "]", "[!]]", false }, { "x1", "x[0-9]", true }, { "x", "x[0-9]", false },
		{ "a*c", "a\\*c", true }, { "abc", "a\\*c", false }, { "\\", "\\\\", true },
		{ "\\", "\\", true },
		{ "[", "[", true }, { "[ab", "[ab", true }, { "a", "[ab", false },
		{ "]", "[\\]]", true },
		{ "A", "a", false }, { "a", "[A-Z]", false }, { "\xff", "[\x80-\xff]", true },
		{ "main.c", "*.[ch]", true }, { "main.o", "*.[ch]", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (glob_match(rows[i].s, rows[i].pattern) == rows[i].match)
			continue;
		printf("# '%s' against '%s'\n", rows[i].s, rows[i].pattern);
		CHECK(!"glob");
	}
}

/* Exponential matchers do not come back from this one. */
TEST(glob_many_stars)
{
	char s[2001];

	memset(s, 'a', sizeof(s));
	s[sizeof(s) - 1] = '\0';
	CHECK(!glob_match(s, "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"));
	CHECK(glob_match(s, "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*"));
}

TEST(is_glob)
{
	CHECK(is_glob("a*"));
	CHECK(is_glob("a?"));
	CHECK(is_glob("[a]"));
	CHECK(!is_glob("a\\*\\[\\?"));
	CHECK(is_glob("\\\\*"));
	CHECK(!is_glob(""));
	CHECK(!is_glob("\\"));
}

TEST(edit_distance)
{
	CHECK_EQ(edit_distance("", ""), 0);
	CHECK_EQ(edit_distance("", "abc"), 3);
	CHECK_EQ(edit_distance("abc", ""), 3);
	CHECK_EQ(edit_distance("kitten", "sitting"), 3);
	CHECK_EQ(edit_distance("report", "reprot"), 1);
	CHECK_EQ(edit_distance("record", "recrod"), 1);
	CHECK_EQ(edit_distance("ab", "ba"), 1);
	CHECK_EQ(edit_distance("abcd", "acbd"), 1);
	CHECK_EQ(edit_distance("same", "same"), 0);
}

TEST(nearest_name)
{
	static const char *const cands[] = { "record", "report", "stat", "top", "sched",
					     "buildid-cache" };

	CHECK_STR(nearest_name("recrod", cands, ARRAY_SIZE(cands)), "record");
	CHECK_STR(nearest_name("repotr", cands, ARRAY_SIZE(cands)), "report");
	CHECK_STR(nearest_name("build-id-cahce", cands, ARRAY_SIZE(cands)), "buildid-cache");
	CHECK_STR(nearest_name("stats", cands, ARRAY_SIZE(cands)), "stat");
	CHECK_STR(nearest_name("xyzzy", cands, ARRAY_SIZE(cands)), NULL);
	CHECK_STR(nearest_name("ab", cands, ARRAY_SIZE(cands)), NULL);
	CHECK_STR(nearest_name("", cands, ARRAY_SIZE(cands)), NULL);
	CHECK_STR(nearest_name("x", cands, 0), NULL);
}
