/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_PROTOBUF_H
#define BASE_PROTOBUF_H
/*
 * Writing the wire format of Protocol Buffers: fields of a message one after the other into a
 * struct str. A nested message is built in a struct str of its own, and added as bytes. Any thread;
 * one owner of the text.
 */
#include "util/base/str.h"

static inline void pb_varint(struct str *out, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		str_addch(out, (char)(v | 0x80));
	str_addch(out, (char)v);
}

/* int32, int64, uint32, uint64, bool, enum; zero, the default, is not written. */
static inline void pb_u64(struct str *out, u32 field, u64 v)
{
	if (!v)
		return;
	pb_varint(out, field << 3);
	pb_varint(out, v);
}

/* The same, written also when it is zero: of a oneof, or a repeated field. */
static inline void pb_u64_always(struct str *out, u32 field, u64 v)
{
	pb_varint(out, field << 3);
	pb_varint(out, v);
}

static inline void pb_fixed64(struct str *out, u32 field, u64 v)
{
	pb_varint(out, field << 3 | 1);
	for (int i = 0; i < 64; i += 8)
		str_addch(out, (char)(v >> i));
}

/* string, bytes, nested message, packed numbers: written also when they are empty. */
static inline void pb_bytes(struct str *out, u32 field, const void *p, size_t n)
{
	pb_varint(out, field << 3 | 2);
	pb_varint(out, n);
	str_addn(out, p, n);
}

static inline void pb_str(struct str *out, u32 field, const char *s)
{
	pb_bytes(out, field, s, strlen(s));
}

/* The message is empty afterwards. */
static inline void pb_message(struct str *out, u32 field, struct str *message)
{
	pb_bytes(out, field, str_cstr(message), message->len);
	str_reset(message);
}

/* Text that a string field may have: bytes that are no UTF-8 become U+FFFD. */
void pb_utf8(struct str *out, u32 field, const char *s);

#endif
