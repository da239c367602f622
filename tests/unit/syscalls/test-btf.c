// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/syscalls/btf.h"

#define INFO(kind, vlen) ((u32)(kind) << 24 | (vlen))

/* enum e { ZERO, ONE }; struct in { u16 a, b; }; struct s { int n; enum e e; struct in in; char
 * text[4]; void *p; u32 low:3, high:5; } */
static void make(struct str *out)
{
	static const char strings[] = "\0int\0u16\0e\0ZERO\0ONE\0in\0a\0b\0s\0n\0text\0p\0low\0"
				      "high\0char\0u32";
	enum { T_INT = 1, U16 = 5, E = 9, ZERO = 11, ONE = 16, IN = 20, A = 23, B = 25, S = 27,
	       N = 29, TEXT = 31, PTR = 36, LOW = 38,
	       HIGH = 42, CHAR = 47, T_U32 = 52 };
	const u32 types[] = {
		/* 1 */
		T_INT, INFO(BTF_KIND_INT, 0), 4, BTF_INT_SIGNED << 24 | 32,
		U16, INFO(BTF_KIND_INT, 0), 2, 16,	/* 2 */
		E, INFO(BTF_KIND_ENUM, 2), 4, ZERO, 0, ONE, 1,	/* 3 */
		IN, INFO(BTF_KIND_STRUCT, 2), 4, A, 2, 0, B, 2, 16,	/* 4 */
		CHAR, INFO(BTF_KIND_INT, 0), 1, 8,	/* 5 */
		0, INFO(BTF_KIND_ARRAY, 0), 0, 5, 1, 4,	/* 6 */
		0, INFO(BTF_KIND_PTR, 0), 0,	/* 7 */
		T_U32, INFO(BTF_KIND_INT, 0), 4, 32,	/* 8 */
		S, INFO(BTF_KIND_STRUCT, 7) | 1u << 31, 32,	/* 9 */
		N, 1, 0, E, 3, 32, IN, 4, 64, TEXT, 6, 96, PTR, 7, 128, LOW, 8, 3u << 24 | 192,
		HIGH, 8, 5u << 24 | 195,
	};
	const struct btf_header h = { .magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(h),
				      .type_len = sizeof(types),
				      .str_off = sizeof(types), .str_len = sizeof(strings) };

	str_addn(out, &h, sizeof(h));
	str_addn(out, types, sizeof(types));
	str_addn(out, strings, sizeof(strings));
}

static const u8 value[32] = { 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 7, 0, 8, 0, 'h', 'i', 0, 0, 0, 16,
			      0, 0, 0, 0, 0, 0, 0x45 };

TEST(structs_are_written_by_their_types)
{
	const struct syscall_style plain = { .max_string = 32 },
		strace = { .max_string = 32, .strace = true };
	struct str text = STR_INIT, out = STR_INIT;
	struct sys_btf *b;

	make(&text);
	b = sys_btf_new(&text);
	CHECK(b != NULL);
	CHECK(sys_btf_add(b, "s", (struct span){ value, sizeof(value) }, &plain, &out));
	CHECK_STR(str_cstr(&out), "{ .n: -1, .e: ONE, .in: { .a: 7, .b: 8 }, .text: \"hi\", .p: "
				  "0x1000, .low: 5, .high: 8 }");
	str_reset(&out);
	CHECK(sys_btf_add(b, "s", (struct span){ value, 10 }, &strace, &out));
	CHECK_STR(str_cstr(&out), "{n=-1, e=ONE, in={a=7, ...}, ...}");
	str_reset(&out);
	CHECK(!sys_btf_add(b, "nosuch", (struct span){ value, sizeof(value) }, &plain, &out));
	CHECK(!sys_btf_add(b, "int", (struct span){ value, sizeof(value) }, &plain, &out));
	CHECK_EQ(out.len, 0);
	sys_btf_free(b);
	str_release(&out);
}

/* Cut anywhere, and with any byte changed: nothing is read beyond the text, nothing goes round
 * for ever. */
TEST(lying_types)
{
	const struct syscall_style style = { .max_string = 32 };
	struct str whole = STR_INIT, out = STR_INIT;

	make(&whole);
	for (size_t i = 0; i < 3 * whole.len; i++) {
		struct str text = STR_INIT;
		struct sys_btf *b;
		size_t at = i % whole.len;

		str_addn(&text, whole.buf, i < whole.len ? at : whole.len);
		if (i >= whole.len)
			text.buf[at] = i < 2 * whole.len ? (char)(text.buf[at] + 1) : (char)0xff;
		b = sys_btf_new(&text);
		str_release(&text);
		str_reset(&out);
		if (b)
			sys_btf_add(b, "s", (struct span){ value, sizeof(value) }, &style, &out);
		CHECK(out.len < 100000);
		sys_btf_free(b);
	}
	str_release(&whole);
	str_release(&out);
}
