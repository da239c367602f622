// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <string.h>

#include "util/base/rd.h"

TEST(widths_and_swap)
{
	static const u8 bytes[] = { 0xff, 1, 2, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct rd r;

	rd_init(&r, bytes, sizeof(bytes), false);
	CHECK_EQ(rd_u8(&r), 0xff);
	CHECK_EQ(rd_u16(&r), 0x0201);
	CHECK_EQ(rd_u32(&r), 0x04030201);
	CHECK_EQ(rd_u64(&r), 0x0807060504030201ULL);
	CHECK(!rd_failed(&r));
	CHECK_EQ(rd_left(&r), 0);
	rd_init(&r, bytes, sizeof(bytes), true);
	CHECK_EQ(rd_u8(&r), 0xff);
	CHECK_EQ(rd_u16(&r), 0x0102);
	CHECK_EQ(rd_u32(&r), 0x01020304);
	CHECK_EQ(rd_u64(&r), 0x0102030405060708ULL);
}

TEST(error_sticks)
{
	static const u8 bytes[] = { 1, 2, 3 };
	struct rd r;

	rd_init(&r, bytes, sizeof(bytes), false);
	CHECK_EQ(rd_u32(&r), 0);
	CHECK(rd_failed(&r));
	CHECK_EQ(rd_u8(&r), 0);		/* there is a byte, but the cursor has failed */
	CHECK_EQ(rd_left(&r), 0);
	CHECK(!rd_bytes(&r, 0));
	CHECK(!rd_cstr(&r));
	rd_seek(&r, 0);
	CHECK(rd_failed(&r));
	CHECK_EQ(r.pos, 0);
}

TEST(empty)
{
	struct rd r;

	rd_init(&r, NULL, 0, false);
	CHECK(rd_bytes(&r, 0) != NULL);
	CHECK(!rd_failed(&r));
	CHECK(!rd_cstr(&r));
	CHECK(rd_failed(&r));
	rd_init(&r, NULL, 0, false);
	CHECK_EQ(rd_u8(&r), 0);
	CHECK(rd_failed(&r));
}

TEST(strings)
{
	static const char bytes[] = "one\0\0two\0\0\0tail";
	struct rd r;

	rd_init(&r, bytes, sizeof(bytes) - 1, false);	/* the last NUL is outside */
	CHECK_STR(rd_cstr(&r), "one");
	CHECK_STR(rd_cstr(&r), "");
	CHECK_STR(rd_strn(&r, 6), "two");
	CHECK_EQ(r.pos, 11);
	CHECK(!rd_cstr(&r));
	CHECK(rd_failed(&r));
	rd_init(&r, "abcd", 4, false);
	CHECK(!rd_strn(&r, 4));		/* no NUL inside: not a failure of the cursor */
	CHECK(!rd_failed(&r));
	CHECK_EQ(r.pos, 4);
	CHECK(!rd_strn(&r, 1));
	CHECK(rd_failed(&r));
}

TEST(moves)
{
	u8 bytes[32] = { 0 };
	struct rd r;

	rd_init(&r, bytes, sizeof(bytes), false);
	rd_skip(&r, 5);
	rd_align(&r, 8);
	CHECK_EQ(r.pos, 8);
	rd_align(&r, 8);
	CHECK_EQ(r.pos, 8);
	rd_seek(&r, 32);
	CHECK(!rd_failed(&r));
	rd_align(&r, 8);
	CHECK(!rd_failed(&r));
	rd_seek(&r, 33);
	CHECK(rd_failed(&r));
	rd_init(&r, bytes, 30, false);
	rd_seek(&r, 29);
	rd_align(&r, 8);
	CHECK(rd_failed(&r));
	rd_init(&r, bytes, 30, false);
	rd_skip(&r, 1);
	rd_skip(&r, UINT64_MAX);	/* no wrap around */
	CHECK(rd_failed(&r));
	CHECK_EQ(r.pos, 1);
	rd_init(&r, bytes, 30, false);
	rd_skip(&r, 1);
	CHECK(!rd_bytes(&r, SIZE_MAX));
	CHECK(rd_failed(&r));
}

TEST(sub)
{
	static const u8 bytes[] = { 1, 2, 3, 4, 5, 6 };
	struct rd r, s;

	rd_init(&r, bytes, sizeof(bytes), true);
	rd_u8(&r);
	s = rd_sub(&r, 3);
	CHECK_EQ(r.pos, 4);
	CHECK_EQ(rd_left(&s), 3);
	CHECK_EQ(rd_u16(&s), 0x0203);
	CHECK_EQ(rd_u16(&s), 0);
	CHECK(rd_failed(&s));
	CHECK(!rd_failed(&r));
	CHECK_EQ(rd_u8(&r), 5);
	s = rd_sub(&r, 0);
	CHECK(!rd_failed(&s));
	s = rd_sub(&r, 2);
	CHECK(rd_failed(&s));
	CHECK(rd_failed(&r));
	CHECK_EQ(rd_u8(&s), 0);
}

static void check_uleb(const char *bytes, size_t n, bool ok, u64 want)
{
	struct rd r;

	rd_init(&r, bytes, n, false);
	CHECK_EQ(rd_uleb(&r), want);
	CHECK_EQ(!rd_failed(&r), ok);
	if (ok)
		CHECK_EQ(rd_left(&r), 0);
}

TEST(uleb)
{
	check_uleb("\x00", 1, true, 0);
	check_uleb("\x7f", 1, true, 127);
	check_uleb("\xe5\x8e\x26", 3, true, 624485);
	check_uleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, true, UINT64_MAX);
	check_uleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, false, 0);
	check_uleb("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12, true, 1);	/* padded */
	check_uleb("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12, false, 0);
	check_uleb("\x80\x80", 2, false, 0);
	check_uleb("", 0, false, 0);
}

static void check_sleb(const char *bytes, size_t n, bool ok, s64 want)
{
	struct rd r;

	rd_init(&r, bytes, n, false);
	CHECK_EQ(rd_sleb(&r), want);
	CHECK_EQ(!rd_failed(&r), ok);
}

TEST(sleb)
{
	check_sleb("\x00", 1, true, 0);
	check_sleb("\x02", 1, true, 2);
	check_sleb("\x7e", 1, true, -2);
	check_sleb("\xff\x00", 2, true, 127);
	check_sleb("\x80\x7f", 2, true, -128);
	check_sleb("\xc0\xbb\x78", 3, true, -123456);
	check_sleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", 10, true, INT64_MAX);
	check_sleb("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10, true, INT64_MIN);
	check_sleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10, true, -1);
	check_sleb("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 10, false, 0);
	check_sleb("\xfe\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 12, true, -2);
	check_sleb("\xfe\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x3f", 12, false, 0);
	check_sleb("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12, true, 1);
	check_sleb("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\xff\x7f", 12, false, 0);
	check_sleb("\x80", 1, false, 0);
}
