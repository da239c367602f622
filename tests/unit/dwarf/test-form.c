// SPDX-License-Identifier: GPL-2.0-or-later
// Forms: how long values are, what they hold, and that nothing is read past the end.
#include "util/dwarf/form-priv.h"

#include "tests/unit/unit.h"

static const struct form_unit five = { .version = 5, .addr_bytes = 8, .off_bytes = 4 };

TEST(sizes)
{
	const struct form_unit two = { .version = 2, .addr_bytes = 4, .off_bytes = 8 };

	CHECK_EQ(form_bytes(&five, DW_FORM_addr), 8);
	CHECK_EQ(form_bytes(&two, DW_FORM_addr), 4);
	CHECK_EQ(form_bytes(&five, DW_FORM_ref_addr), 4);
	CHECK_EQ(form_bytes(&two, DW_FORM_ref_addr), 4);	/* an address, up to version 2 */
	CHECK_EQ(form_bytes(&five, DW_FORM_strp), 4);
	CHECK_EQ(form_bytes(&two, DW_FORM_sec_offset), 8);
	CHECK_EQ(form_bytes(&five, DW_FORM_flag_present), 0);
	CHECK_EQ(form_bytes(&five, DW_FORM_implicit_const), 0);
	CHECK_EQ(form_bytes(&five, DW_FORM_data16), 16);
	CHECK_EQ(form_bytes(&five, DW_FORM_strx3), 3);
	CHECK_EQ(form_bytes(&five, DW_FORM_indirect), FORM_UNKNOWN);
	CHECK_EQ(form_bytes(&five, 0), FORM_UNKNOWN);
	CHECK_EQ(form_bytes(&five, 0x2d), FORM_UNKNOWN);
	CHECK_EQ(form_bytes(&five, 0xffff), FORM_UNKNOWN);
	CHECK(form_is_elsewhere(DW_FORM_GNU_strp_alt) && form_is_elsewhere(DW_FORM_ref_sup4) &&
	      !form_is_elsewhere(DW_FORM_strp));
}

/* A value of this form at these bytes ends after so many of them; with one less it is cut off. */
static void passes(unsigned form, const u8 *bytes, size_t n)
{
	const int how = form_bytes(&five, form);

	CHECK(form_pass(&five, how, bytes, bytes + n) == bytes + n);
	if (n)
		CHECK(form_pass(&five, how, bytes, bytes + n - 1) == NULL);
}

TEST(ends)
{
	/* a block that reaches around the address space */
	static const u8 around[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1 };

	passes(DW_FORM_data2, (const u8 *)"\1\2", 2);
	passes(DW_FORM_udata, (const u8 *)"\x80\x80\1", 3);
	passes(DW_FORM_string, (const u8 *)"ab", 3);
	passes(DW_FORM_exprloc, (const u8 *)"\2ab", 3);
	passes(DW_FORM_block1, (const u8 *)"\2ab", 3);
	passes(DW_FORM_block2, (const u8 *)"\2\0ab", 4);
	passes(DW_FORM_block4, (const u8 *)"\2\0\0\0ab", 6);
	passes(DW_FORM_flag_present, (const u8 *)"", 0);
	CHECK(!form_pass(&five, FORM_UNKNOWN, around, around + 2));
	CHECK(!form_pass(&five, FORM_BLOCK, around, around + sizeof(around)));
}

TEST(numbers)
{
	static const u8 b[] = { 1, 2, 3, 4, 5, 6, 7, 8, 0xe5, 0x8e, 0x26 };
	const struct form_unit big = { .version = 5, .addr_bytes = 8, .off_bytes = 4,
				       .swap = true };
	u64 v = 0;

	CHECK(form_number(&five, DW_FORM_data1, b, b + 8, &v) && v == 1);
	CHECK(form_number(&five, DW_FORM_data4, b, b + 8, &v) && v == 0x04030201);
	CHECK(form_number(&big, DW_FORM_data4, b, b + 8, &v) && v == 0x01020304);
	CHECK(form_number(&five, DW_FORM_strx3, b, b + 8, &v) && v == 0x030201);
	CHECK(form_number(&big, DW_FORM_strx3, b, b + 8, &v) && v == 0x010203);
	CHECK(form_number(&big, DW_FORM_data8, b, b + 8, &v) && v == 0x0102030405060708);
	CHECK(form_number(&five, DW_FORM_udata, b + 8, b + 11, &v) && v == 624485);
	CHECK(!form_number(&five, DW_FORM_udata, b + 8, b + 10, &v));
	CHECK(!form_number(&five, DW_FORM_data4, b, b + 3, &v));
	CHECK(!form_number(&five, DW_FORM_data16, b, b + 11, &v));
	CHECK(!form_number(&five, DW_FORM_flag_present, b, b + 11, &v));
	CHECK(!form_number(&five, DW_FORM_exprloc, b, b + 11, &v));
}

TEST(strings)
{
	static const u8 str[] = "one\0two", lines[] = "file",
		offsets[] = { 0, 0, 0, 0, 4, 0, 0, 0, 99, 0, 0, 0, 4, 0, 0, 0 };
	const struct form_strings s = { { str, sizeof(str) }, { lines, sizeof(lines) },
					{ offsets, sizeof(offsets) }, .base = 4 };
	static const u8 four[] = { 4, 0, 0, 0 }, far[] = { 99, 0, 0, 0 }, zero[4], one[] = { 1 },
		two[] = { 2 }, nine[] = { 9 };

	CHECK_STR(form_string(&five, &s, DW_FORM_string, (const u8 *)"here", NULL), "here");
	CHECK_STR(form_string(&five, &s, DW_FORM_strp, four, four + 4), "two");
	CHECK_STR(form_string(&five, &s, DW_FORM_line_strp, zero, zero + 4), "file");
	CHECK_STR(form_string(&five, &s, DW_FORM_strx, two, two + 1), "two");
	CHECK_STR(form_string(&five, &s, DW_FORM_strx1, zero, zero + 1), "two");
	/* leads out of the strings */
	CHECK(!form_string(&five, &s, DW_FORM_strx1, one, one + 1));
	CHECK(!form_string(&five, &s, DW_FORM_strx, nine, nine + 1));	/* out of the offsets */
	CHECK(!form_string(&five, &s, DW_FORM_strp, far, far + 4));
	CHECK(!form_string(&five, &s, DW_FORM_data4, four, four + 4));
}
