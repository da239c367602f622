/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_THRIFT_H
#define BASE_THRIFT_H
/*
 * Writing Thrift's compact protocol: the fields of a struct in the order of their numbers. Any
 * thread; one owner of the text.
 *
 *	struct thrift t = { &out };
 *	thrift_i32(&t, 1, 7);
 *	struct thrift inner = thrift_struct(&t, 2);
 *	...
 *	thrift_end(&inner);
 *	thrift_end(&t);
 */
#include "util/base/protobuf.h"

enum thrift_type { THRIFT_TRUE = 1, THRIFT_FALSE, THRIFT_I8, THRIFT_I32 = 5, THRIFT_I64,
		   THRIFT_BYTES = 8, THRIFT_LIST, THRIFT_STRUCT = 12 };

struct thrift {
	struct str *out;
	int last;			/* the number of the field before */
};

static inline void thrift_field(struct thrift *t, int number, enum thrift_type type)
{
	str_addch(t->out, (char)((number - t->last) << 4 | type));
	t->last = number;
}

static inline void thrift_number(struct str *out, s64 v)
{
	pb_varint(out, (u64)v << 1 ^ (u64)(v >> 63));
}

static inline void thrift_i32(struct thrift *t, int number, s32 v)
{
	thrift_field(t, number, THRIFT_I32);
	thrift_number(t->out, v);
}

static inline void thrift_i64(struct thrift *t, int number, s64 v)
{
	thrift_field(t, number, THRIFT_I64);
	thrift_number(t->out, v);
}

static inline void thrift_bool(struct thrift *t, int number, bool v)
{
	thrift_field(t, number, v ? THRIFT_TRUE : THRIFT_FALSE);
}

/* Of a list of bytes or texts, without a field. */
static inline void thrift_item(struct str *out, const void *p, size_t n)
{
	pb_varint(out, n);
	str_addn(out, p, n);
}

static inline void thrift_bytes(struct thrift *t, int number, const void *p, size_t n)
{
	thrift_field(t, number, THRIFT_BYTES);
	thrift_item(t->out, p, n);
}

static inline void thrift_text(struct thrift *t, int number, const char *s)
{
	thrift_bytes(t, number, s, strlen(s));
}

/* n items of the type follow, structs each with its thrift_end(). */
static inline void thrift_list(struct thrift *t, int number, enum thrift_type type, size_t n)
{
	thrift_field(t, number, THRIFT_LIST);
	str_addch(t->out, (char)(MIN(n, (size_t)15) << 4 | type));
	if (n >= 15)
		pb_varint(t->out, n);
}

static inline struct thrift thrift_struct(struct thrift *t, int number)
{
	thrift_field(t, number, THRIFT_STRUCT);
	return (struct thrift){ t->out, 0 };
}

static inline void thrift_end(struct thrift *t) { str_addch(t->out, 0); }

#endif
