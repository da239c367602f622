// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <locale.h>
#include <math.h>

#include "util/base/json.h"

TEST(nesting_and_commas)
{
	struct str s = STR_INIT;
	struct json j;

	json_init(&j, &s);
	json_open(&j, '{');
	json_key(&j, "a");
	json_u64(&j, UINT64_MAX);
	json_key(&j, "list");
	json_open(&j, '[');
	json_s64(&j, INT64_MIN);
	json_open(&j, '{');
	json_close(&j, '}');
	json_open(&j, '[');
	json_close(&j, ']');
	json_bool(&j, true);
	json_str(&j, NULL);
	json_close(&j, ']');
	json_key(&j, "o");
	json_open(&j, '{');
	json_key(&j, "x");
	json_raw(&j, "[1,2]");
	json_close(&j, '}');
	json_key(&j, "z");
	json_bool(&j, false);
	json_close(&j, '}');
	CHECK_STR(s.buf, "{\"a\":18446744073709551615,\"list\":[-9223372036854775808,{},[],true,"
			 "null],"
		  "\"o\":{\"x\":[1,2]},\"z\":false}");
	str_release(&s);
}

TEST(numbers)
{
	struct str s = STR_INIT;
	struct json j;

	json_init(&j, &s);
	json_open(&j, '[');
	json_fixed(&j, 1.25, 1);
	json_fixed(&j, -0.5, 3);
	json_fixed(&j, 7, 0);
	json_fixed(&j, NAN, 2);
	json_fixed(&j, INFINITY, 2);
	json_close(&j, ']');
	CHECK_STR(s.buf, "[1.2,-0.500,7,null,null]");
	str_release(&s);
}

static void check_quote(const char *in, size_t n, const char *want)
{
	struct str s = STR_INIT;

	json_quote(&s, in, n);
	CHECK_STR(s.buf, want);
	str_release(&s);
}

TEST(escapes)
{
	check_quote("", 0, "\"\"");
	check_quote("a\"b\\c/", 6, "\"a\\\"b\\\\c/\"");
	check_quote("\n\t\r\b\f", 5, "\"\\n\\t\\r\\b\\f\"");
	check_quote("\0\x01\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\\u007f\"");
	/* C1 controls, and what turns the writing direction */
	check_quote("\xc2\x9b" "31m\xc2\xa0", 7, "\"\\u009b31m\xc2\xa0\"");
	check_quote("\xe2\x80\xae" "fdp\xe2\x80\xa8\xe2\x81\xa6\xd8\x9c", 14,
		    "\"\\u202efdp\\u2028\\u2066\\u061c\"");
	check_quote("\xc3\xa9\xe2\x82\xac", 5, "\"\xc3\xa9\xe2\x82\xac\"");
	check_quote("\xff", 1, "\"\\ufffd\"");
	check_quote("a\xc3", 2, "\"a\\ufffd\"");
	check_quote("\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"");
	check_quote("\xc0\xafx", 3, "\"\\ufffd\\ufffdx\"");
}

TEST(deep)
{
	struct str s = STR_INIT;
	struct json j;

	json_init(&j, &s);
	for (int i = 0; i < 63; i++) {
		json_open(&j, '[');
		json_u64(&j, 1);
	}
	for (int i = 0; i < 63; i++)
		json_close(&j, ']');
	CHECK_EQ(j.depth, 0);
	CHECK_EQ(s.len, 63 * 3 + 62);
	CHECK_MEM(s.buf, "[1,[1,[1,", 9);
	str_release(&s);
}
