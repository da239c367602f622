/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_RD_H
#define BASE_RD_H
/*
 * struct rd: a bounds-checked cursor over untrusted bytes, with byte order and a sticky error.
 * After a read beyond the end every further read gives 0 (or NULL) and rd_failed() is true; so a
 * parser reads straight on and checks once. Borrows the bytes. One owner.
 */
#include "util/base/str.h"

struct rd {
	const u8 *base;
	size_t pos, len;	/* bytes; pos <= len */
	bool swap;		/* the data has the other byte order */
	bool failed;
};

void rd_init(struct rd *r, const void *p, size_t len, bool swap);
static inline u8 rd_u8(struct rd *r);
static inline u16 rd_u16(struct rd *r);	/* unaligned is fine, for all widths */
static inline u32 rd_u32(struct rd *r);
static inline u64 rd_u64(struct rd *r);
u64 rd_uleb(struct rd *r);
s64 rd_sleb(struct rd *r);
/* n bytes, borrowed; NULL (and failed) when fewer are left; n = 0 gives a valid pointer. */
const void *rd_bytes(struct rd *r, size_t n);
/* NUL-terminated string within the bytes, borrowed; NULL (and failed) when the NUL is missing. */
const char *rd_cstr(struct rd *r);
/* A field of n bytes that holds a string: borrowed, NULL when it has no NUL inside. */
const char *rd_strn(struct rd *r, size_t n);
void rd_skip(struct rd *r, u64 n);
void rd_seek(struct rd *r, u64 pos);
void rd_align(struct rd *r, size_t a);		/* a: power of two, relative to base */
/* a cursor over the next n bytes, which are skipped here */
struct rd rd_sub(struct rd *r, u64 n);
static inline size_t rd_left(const struct rd *r) { return r->failed ? 0 : r->len - r->pos; }
static inline bool rd_failed(const struct rd *r) { return r->failed; }

/* Fixed widths are inline: decoding a sample is some ten of them. */
static inline bool rd_take_(struct rd *r, void *to, size_t n)
{
	if (r->failed || n > r->len - r->pos) {
		r->failed = true;
		return false;
	}
	memcpy(to, r->base + r->pos, n);
	r->pos += n;
	return true;
}

static inline u8 rd_u8(struct rd *r)
{
	u8 v;

	return rd_take_(r, &v, sizeof(v)) ? v : 0;
}

static inline u16 rd_u16(struct rd *r)
{
	u16 v;

	return !rd_take_(r, &v, sizeof(v)) ? 0 : r->swap ? __builtin_bswap16(v) : v;
}

static inline u32 rd_u32(struct rd *r)
{
	u32 v;

	return !rd_take_(r, &v, sizeof(v)) ? 0 : r->swap ? __builtin_bswap32(v) : v;
}

static inline u64 rd_u64(struct rd *r)
{
	u64 v;

	return !rd_take_(r, &v, sizeof(v)) ? 0 : r->swap ? __builtin_bswap64(v) : v;
}

#endif
