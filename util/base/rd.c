// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/rd.h"

void rd_init(struct rd *r, const void *p, size_t len, bool swap)
{
	*r = (struct rd){ .base = p, .len = len, .swap = swap };
}

const void *rd_bytes(struct rd *r, size_t n)
{
	/* what an empty cursor over NULL gives for 0 bytes must be valid too */
	static const u8 nothing[1];

	if (r->failed || n > r->len - r->pos) {
		r->failed = true;
		return NULL;
	}
	const u8 *p = r->base ? r->base + r->pos : nothing;

	r->pos += n;
	return p;
}

/* LEB128 of at most 64 bits; padding groups after them must be empty (or the sign), or the read
 * fails. */
u64 rd_uleb(struct rd *r)
{
	u64 v = 0;

	for (unsigned shift = 0;; shift += 7) {
		u8 b = rd_u8(r);

		if (r->failed)
			return 0;
		u64 bits = b & 0x7f;

		if (shift >= 64 ? bits : shift == 63 && bits > 1) {
			r->failed = true;
			return 0;
		}
		if (shift < 64)
			v |= bits << shift;
		if (!(b & 0x80))
			return v;
		if (shift >= 64)
			shift = 64;
	}
}

s64 rd_sleb(struct rd *r)
{
	u64 v = 0;
	unsigned shift = 0;

	for (;;) {
		u8 b = rd_u8(r);

		if (r->failed)
			return 0;
		u64 bits = b & 0x7f;

		if (shift >= 63) {
			/* only copies of the sign are left */
			u64 sign = shift == 63 ? bits & 1 : v >> 63;

			if (bits != (sign ? 0x7f : 0)) {
				r->failed = true;
				return 0;
			}
		}
		if (shift < 64)
			v |= bits << shift;
		shift += shift < 64 ? 7 : 0;
		if (!(b & 0x80)) {
			if (shift < 64 && (b & 0x40))
				v |= ~0ULL << shift;
			return (s64)v;
		}
	}
}

const char *rd_cstr(struct rd *r)
{
	size_t left = rd_left(r);
	const char *s = left ? (const char *)r->base + r->pos : NULL;
	const char *nul = s ? memchr(s, '\0', left) : NULL;

	if (!nul) {
		r->failed = true;
		return NULL;
	}
	r->pos += (size_t)(nul - s) + 1;
	return s;
}

const char *rd_strn(struct rd *r, size_t n)
{
	const char *s = rd_bytes(r, n);

	return s && memchr(s, '\0', n) ? s : NULL;
}

void rd_skip(struct rd *r, u64 n)
{
	if (r->failed || n > r->len - r->pos)
		r->failed = true;
	else
		r->pos += n;
}

void rd_seek(struct rd *r, u64 pos)
{
	if (r->failed || pos > r->len)
		r->failed = true;
	else
		r->pos = pos;
}

void rd_align(struct rd *r, size_t a)
{
	rd_skip(r, -r->pos & (a - 1));
}

/* When fewer than n bytes are left both cursors have failed. */
struct rd rd_sub(struct rd *r, u64 n)
{
	struct rd sub = { .base = r->base, .swap = r->swap, .failed = true };

	if (r->failed || n > r->len - r->pos) {
		r->failed = true;
		return sub;
	}
	sub.failed = false;
	sub.base = r->base ? r->base + r->pos : NULL;
	sub.len = n;
	r->pos += n;
	return sub;
}
