// SPDX-License-Identifier: GPL-2.0-or-later
// The pass over .debug_info, on sections written here byte by byte; then with every byte wrong
// and at every length.
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/base/str.h"
#include "util/dwarf/fnscan.h"

enum { UNIT = 1, NAMED, STRUCT, MEMBER, DECL, COMPLETES, LINKED };

static const u8 abbrevs[] = {
	UNIT, DW_TAG_compile_unit, 1, DW_AT_language, DW_FORM_data1, 0, 0,
	NAMED, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, DW_AT_external,
	DW_FORM_flag_present, 0, 0,
	STRUCT, DW_TAG_structure_type, 1, DW_AT_name, DW_FORM_strp, DW_AT_sibling, DW_FORM_ref4, 0,
	0,
	MEMBER, DW_TAG_member, 0, DW_AT_decl_line, DW_FORM_implicit_const, 0xff, 0x7f, 0x80,
	1 /* DW_AT_call_parameter */,
	DW_FORM_ref4, DW_AT_data_member_location, DW_FORM_block1, 0, 0,
	DECL, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_strp, DW_AT_declaration,
	DW_FORM_flag_present, 0, 0,
	COMPLETES, DW_TAG_subprogram, 0, DW_AT_specification, DW_FORM_ref4, DW_AT_low_pc,
	DW_FORM_addr, 0, 0,
	LINKED, DW_TAG_subprogram, 0, DW_AT_linkage_name, DW_FORM_strp, DW_AT_name, DW_FORM_strp, 0,
	0,
	0,
};
static const char strings[] = "\0method\0outer\0lost\0_Z6linkedv\0linked<int>";

static u32 string_off(const char *s)
{
	u32 at = 0;

	while (strcmp(strings + at, s))
		at += (u32)strlen(strings + at) + 1;
	return at;
}

static void u8s(struct str *s, unsigned v) { str_addch(s, (char)v); }
static void u32s(struct str *s, u32 v) { str_addn(s, (const char *)&v, 4); }
static void u64s(struct str *s, u64 v) { str_addn(s, (const char *)&v, 8); }

static void entry(struct str *s, unsigned code, const char *name)
{
	u8s(s, code);
	u32s(s, string_off(name));
}

/* struct { m; method() declared }, plain(), outer() declared and completed, lost() declared
 * only, method() completed, linked<int>() */
static void add_unit(struct str *s, unsigned version, unsigned lang)
{
	size_t head = s->len, sibling, method, outer;
	u32 n;

	u32s(s, 0);
	u8s(s, version);
	u8s(s, 0);
	if (version == 5) {
		u8s(s, DW_UT_compile);
		u8s(s, 8);
		u32s(s, 0);
	} else {
		u32s(s, 0);
		u8s(s, 8);
	}
	u8s(s, UNIT);
	u8s(s, lang);
	entry(s, STRUCT, "outer");
	sibling = s->len;
	u32s(s, 0);
	u8s(s, MEMBER);
	u32s(s, 1);
	str_addn(s, "\2xx", 3);
	method = s->len - head;
	entry(s, DECL, "method");
	u8s(s, 0);
	n = (u32)(s->len - head);
	memcpy(s->buf + sibling, &n, 4);
	u8s(s, NAMED);
	str_addn(s, "plain", 6);
	outer = s->len - head;
	entry(s, DECL, "outer");
	entry(s, DECL, "lost");
	u8s(s, COMPLETES);
	u32s(s, (u32)outer);
	u64s(s, 0x1000);
	u8s(s, COMPLETES);
	u32s(s, (u32)method);
	u64s(s, 0x2000);
	entry(s, LINKED, "_Z6linkedv");
	u32s(s, string_off("linked<int>"));
	u8s(s, 0);
	n = (u32)(s->len - head - 4);
	memcpy(s->buf + head, &n, 4);
}

static struct fnscan_src source(const u8 *info, size_t n)
{
	return (struct fnscan_src){ .fd = -1, .info = info, .info_bytes = n, .abbrevs = abbrevs,
				    .abbrev_bytes = sizeof(abbrevs),
				    .strings = (const u8 *)strings, .string_bytes =
				    sizeof(strings) };
}

static bool uses(const struct fnscan *x, const char *name, u32 unit)
{
	for vec_each(u, &x->uses)
		if (*u == ((u64)fnscan_hash(name) << 32 | unit))
			return true;
	return false;
}

TEST(names)
{
	struct str s = STR_INIT;
	struct fnscan x = { .linked = false };
	struct fnscan_src src;

	add_unit(&s, 4, DW_LANG_C99);
	add_unit(&s, 5, DW_LANG_C_plus_plus);
	src = source((const u8 *)s.buf, s.len);
	CHECK(fnscan_run(&src, &x));
	CHECK_EQ(x.units.n, 2);
	CHECK_EQ(x.units.v[0].start, 11);
	CHECK_EQ(x.units.v[1].start, x.units.v[1].head + 12);
	for (u32 unit = 0; unit < 2; unit++) {
		CHECK(uses(&x, "plain", unit) && uses(&x, "outer", unit) &&
		      uses(&x, "linked<int>", unit) && uses(&x, "_Z6linkedv", unit));
		CHECK(!uses(&x, "lost", unit));
		CHECK_EQ(uses(&x, "method", unit), unit == 1);	/* types of C hold no functions */
		CHECK_EQ(uses(&x, "linked", unit), unit == 1);
	}
	CHECK_EQ(x.uses.n, 4 + 6);
	for (size_t i = 1; i < x.uses.n; i++)
		CHECK(x.uses.v[i - 1] < x.uses.v[i]);
	CHECK(!x.linked);
	fnscan_release(&x);
	str_release(&s);
}

/* Each is refused or read, and nothing is touched that is not there: the bytes are on the heap,
 * at their very length. */
static void survives(const u8 *info, size_t n)
{
	struct fnscan x = { .linked = false };
	u8 *copy = n ? memcpy(malloc(n), info, n) : NULL;
	struct fnscan_src src = source(copy, n);

	fnscan_run(&src, &x);
	fnscan_release(&x);
	free(copy);
}

TEST(damaged)
{
	static const u8 put[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct str s = STR_INIT;

	add_unit(&s, 4, DW_LANG_C99);
	add_unit(&s, 5, DW_LANG_C_plus_plus);
	for (size_t n = 0; n < s.len; n++) {
		u8 was = (u8)s.buf[n];

		survives((const u8 *)s.buf, n);
		for (size_t k = 0; k < ARRAY_SIZE(put); k++) {
			s.buf[n] = (char)put[k];
			survives((const u8 *)s.buf, s.len);
		}
		s.buf[n] = (char)was;
	}
	str_release(&s);
}

TEST(refused)
{
	static const unsigned bad[] = { DW_UT_type, DW_UT_skeleton, DW_UT_split_compile,
					DW_UT_partial };
	struct str s = STR_INIT;
	struct fnscan x = { .linked = false };
	struct fnscan_src src;

	add_unit(&s, 5, DW_LANG_C99);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		s.buf[6] = (char)bad[i];
		src = source((const u8 *)s.buf, s.len);
		CHECK(!fnscan_run(&src, &x));
	}
	s.buf[6] = DW_UT_compile;
	src = source((const u8 *)s.buf, s.len);
	src.string_bytes--;		/* the last string has no end */
	CHECK(!fnscan_run(&src, &x));
	src.string_bytes++;
	CHECK(fnscan_run(&src, &x));
	fnscan_release(&x);
	str_release(&s);
}
