// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/bpf/kbtf.h"

#define INFO(kind, vlen) ((u32)(kind) << 24 | (vlen))
#define KFLAG (1u << 31)

/* typedef const u16 half; enum e { ONE = 1 }; struct far; struct in { half a; enum e e; };
 * struct in2 { struct in in[3]; }; struct s { struct in2 i; struct far *p; union { u16 x; u32
 * low:3; }; }; struct other { u16 a; }; typedef void (*hook_t)(u16); and what only has to be passed
 * over: var, datasec, func, tags, float, enum64 */
static void make(struct str *out, u32 last_kind)
{
	static const char strings[] = "\0u16\0half\0e\0ONE\0far\0in\0a\0in2\0s\0i\0p\0x\0low\0"
				      "other\0hook_t\0u32";
	enum { T_U16 = 1, HALF = 5, E = 10, ONE = 12, FAR = 16, IN = 20, A = 23, IN2 = 25, S = 29,
	       I = 31, PTR = 33, X = 35, LOW = 37,
	       OTHER = 41, HOOK = 47, T_U32 = 54 };
	const u32 types[] = {
		T_U16, INFO(BTF_KIND_INT, 0), 2, 16,				/* 1 */
		0, INFO(BTF_KIND_CONST, 0), 1,					/* 2 */
		HALF, INFO(BTF_KIND_TYPEDEF, 0), 2,				/* 3 */
		E, INFO(BTF_KIND_ENUM, 1), 4, ONE, 1,				/* 4 */
		FAR, INFO(BTF_KIND_FWD, 0), 0,					/* 5 */
		0, INFO(BTF_KIND_PTR, 0), 5,					/* 6 */
		0, INFO(BTF_KIND_FUNC_PROTO, 1), 0, 0, 1,			/* 7 */
		HOOK, INFO(BTF_KIND_FUNC, 0), 7,				/* 8 */
		T_U32, INFO(BTF_KIND_VAR, 0), 1, 0,				/* 9 */
		S, INFO(BTF_KIND_DATASEC, 1), 2, 9, 0, 2,			/* 10 */
		X, INFO(17, 0), 9, (u32)-1,					/* 11 */
		X, INFO(18, 0), 1,						/* 12 */
		X, INFO(BTF_KIND_FLOAT, 0), 8,					/* 13 */
		X, INFO(19, 1), 8, ONE, 1, 0,					/* 14 */
		OTHER, INFO(BTF_KIND_STRUCT, 1), 2, A, 1, 0,			/* 15 */
		IN, INFO(BTF_KIND_STRUCT, 2), 8, A, 3, 0, E, 4, 32,		/* 16 */
		0, INFO(BTF_KIND_ARRAY, 0), 0, 16, 1, 3,			/* 17 */
		IN2, INFO(BTF_KIND_STRUCT, 1), 24, I, 17, 0,			/* 18 */
		T_U32, INFO(BTF_KIND_INT, 0), 4, 32,				/* 19 */
		0, INFO(BTF_KIND_UNION, 2) | KFLAG, 4, X, 1, 0, LOW, 19, 3u << 24,	/* 20 */
		S, INFO(BTF_KIND_STRUCT, 3), 40, I, 18, 0, PTR, 6, 192, 0, 20, 256,	/* 21 */
		0, INFO(BTF_KIND_PTR, 0), 7,					/* 22 */
		HOOK, INFO(BTF_KIND_TYPEDEF, 0), 22,				/* 23 */
		0, INFO(last_kind, 0), 0,					/* 24 */
	};
	const struct btf_header h = { .magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(h),
				      .type_len = sizeof(types),
				      .str_off = sizeof(types), .str_len = sizeof(strings) };

	str_addn(out, &h, sizeof(h));
	str_addn(out, types, sizeof(types));
	str_addn(out, strings, sizeof(strings));
}

static bool cut(const void *bytes, size_t n, struct kbtf_typedef *def, struct str *out)
{
	static const char *const names[] = { "s", "nothing" };

	return kbtf_cut((struct span){ bytes, n }, &(struct kbtf_wants){ names, 2, def, 1, false },
			out);
}

TEST(what_lies_inside_is_taken_along)
{
	struct str all = STR_INIT, out = STR_INIT;
	struct kbtf_typedef def = { "hook_t", 0 };
	const struct btf_header *h;
	const u32 *w;
	const char *s;

	make(&all, BTF_KIND_PTR);
	CHECK(cut(all.buf, all.len, &def, &out));
	CHECK_EQ(def.id, 23);
	h = (const void *)out.buf;
	w = (const void *)(out.buf + h->hdr_len);
	s = out.buf + h->hdr_len + h->str_off;
	CHECK_EQ(h->hdr_len + h->str_off + h->str_len, out.len);
	/* void *, s, in2, the union, its members, the array, in: each after what has it, the
	 * names of types are their own */
	const u32 want[] = {
		0, INFO(BTF_KIND_PTR, 0), 0,						/* 1 */
		/* 2: s */
		w[3], INFO(BTF_KIND_STRUCT, 3), 40, w[6], 3, 0, w[9], 1, 192, 0, 4, 256,
		w[15], INFO(BTF_KIND_STRUCT, 1), 24, w[18], 5, 0,			/* 3: in2 */
		/* 4: the union */
		0, INFO(BTF_KIND_UNION, 2) | KFLAG, 4, w[24], 6, 0, w[27], 7, 3u << 24,
		0, INFO(BTF_KIND_ARRAY, 0), 0, 8, 6, 3,					/* 5 */
		w[36], INFO(BTF_KIND_INT, 0), 2, 16,					/* 6: u16 */
		w[40], INFO(BTF_KIND_INT, 0), 4, 32,					/* 7: u32 */
		w[44], INFO(BTF_KIND_STRUCT, 2), 8, w[47], 6, 0, w[50], 9, 32,		/* 8: in */
		w[53], INFO(BTF_KIND_ENUM, 0), 4,					/* 9: e */
	};
	CHECK_EQ(h->type_len, sizeof(want));
	CHECK_MEM(w, want, sizeof(want));
	static const struct { u32 at; const char *name; } names[] = {
		{ 3, "s" }, { 6, "i" }, { 9, "p" }, { 15, "in2" }, { 24, "x" }, { 27, "low" },
			{ 36, "u16" }, { 44, "in" }, { 47, "a" },
		{ 50, "e" }, { 53, "e" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CHECK(w[names[i].at] < h->str_len);
		CHECK_STR(s + w[names[i].at], names[i].name);
	}
	str_release(&all);
	str_release(&out);
}

TEST(nothing_is_read_beyond_the_end)
{
	struct str all = STR_INIT;

	make(&all, BTF_KIND_PTR);
	for (size_t n = 0; n < all.len; n++) {
		struct kbtf_typedef def = { "hook_t", 0 };
		struct str out = STR_INIT;
		void *part = xmemdup(all.buf, n);	/* so that a sanitizer sees its end */

		CHECK(!cut(part, n, &def, &out));
		CHECK_EQ(out.len, 0);
		free(part);
	}
	/* numbers of types and offsets of names that do not exist */
	for (size_t at = sizeof(struct btf_header); at + 4 <= all.len; at += 4) {
		struct str bad = STR_INIT, out = STR_INIT;
		struct kbtf_typedef def = { "hook_t", 0 };

		str_addn(&bad, all.buf, all.len);
		memset(bad.buf + at, 0x7f, 4);
		cut(bad.buf, bad.len, &def, &out);
		str_release(&bad);
		str_release(&out);
	}
	str_release(&all);
}

TEST(a_kind_from_the_future_is_refused)
{
	struct str all = STR_INIT, out = STR_INIT;
	struct kbtf_typedef def = { "hook_t", 0 };

	make(&all, 25);
	CHECK(!cut(all.buf, all.len, &def, &out));
	str_release(&all);
}

/* The one of type 21 with all that it has, as from types without what lies after. */
TEST(with_the_first_of_each_name_the_rest_is_not_read)
{
	static const char *const names[] = { "s" };
	struct str whole = STR_INIT, future = STR_INIT, want = STR_INIT, got = STR_INIT;
	const struct kbtf_wants all = { .records = names, .n_records = 1 },
		first = { .records = names, .n_records = 1, .first = true };

	make(&whole, BTF_KIND_PTR);
	make(&future, 25);
	CHECK(kbtf_cut((struct span){ (const u8 *)whole.buf, whole.len }, &all, &want));
	CHECK(!kbtf_cut((struct span){ (const u8 *)future.buf, future.len }, &all, &got));
	CHECK(kbtf_cut((struct span){ (const u8 *)future.buf, future.len }, &first, &got));
	CHECK_EQ(got.len, want.len);
	CHECK_MEM(got.buf, want.buf, want.len);
	str_release(&whole);
	str_release(&future);
	str_release(&want);
	str_release(&got);
}
