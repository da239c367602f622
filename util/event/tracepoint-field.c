// SPDX-License-Identifier: GPL-2.0-or-later
// The fields of a tracepoint's format, and what they are in the bytes of a record.
#include <string.h>

#include "util/event/tracepoint-priv.h"

size_t tp_n_fields(const struct tp_format *f)
{
	return f->fields.n;
}

const struct tp_field *tp_field_at(const struct tp_format *f, size_t i)
{
	return i < f->fields.n ? &f->fields.v[i] : NULL;
}

const struct tp_field *tp_field(const struct tp_format *f, const char *name)
{
	for (size_t i = 0; i < f->fields.n; i++)
		if (!strcmp(f->fields.v[i].name, name))
			return &f->fields.v[i];
	return NULL;
}

u64 tp_read_u64(const struct tp_field *f, struct span raw, bool swap)
{
	u32 n = f->is_array && !f->is_dynamic && f->elem_bytes ? f->elem_bytes : f->bytes;
	const u8 *p = raw.ptr + f->off;
	u16 a;
	u32 b;
	u64 c;

	if ((u64)f->off + n > raw.len)
		return 0;
	switch (n) {
	case 1:
		return f->is_signed ? (u64)(s64)(s8)*p : *p;
	case 2:
		memcpy(&a, p, 2);
		a = swap ? __builtin_bswap16(a) : a;
		return f->is_signed ? (u64)(s64)(s16)a : a;
	case 4:
		memcpy(&b, p, 4);
		b = swap ? __builtin_bswap32(b) : b;
		return f->is_signed && !f->is_dynamic ? (u64)(s64)(s32)b : b;
	case 8:
		memcpy(&c, p, 8);
		return swap ? __builtin_bswap64(c) : c;
	}
	return 0;
}

const u8 *tp_read_bytes(const struct tp_field *f, struct span raw, bool swap, size_t *len)
{
	u64 off = f->off, n = f->bytes;

	*len = 0;
	if (off + n > raw.len)
		return NULL;
	if (f->is_dynamic) {
		u32 loc = (u32)tp_read_u64(f, raw, swap);

		n = f->bytes == 4 ? loc >> 16 : 0;
		off = loc & 0xffff;
		if (f->is_relative)
			off += f->off + f->bytes;
	}
	if (off + n > raw.len)
		return NULL;
	*len = n;
	return raw.ptr + off;
}

const char *tp_read_str(const struct tp_field *f, struct span raw, bool swap, size_t *len)
{
	const char *p = (const char *)tp_read_bytes(f, raw, swap, len);

	if (p)
		*len = strnlen(p, *len);
	return p;
}
