/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_DIGITS_H
#define VIEW_DIGITS_H
/*
 * Numbers into a buffer that has room: for views that write millions of lines, where printf would
 * be most of the time. Each returns the end of what it wrote; none writes a NUL.
 */
#include <string.h>

#include "util/base/fasttext.h"
#include "util/base/str.h"

/* Decimal, at least width wide, filled with pad from the left. At most 20 digits, or width. */
static inline char *put_u64(char *p, u64 v, int width, char pad)
{
	for (int i = width > 1 ? ft_u64_digits(v) : 1; i < width; i++)
		*p++ = pad;
	return ft_u64(p, v);
}

/* Exactly three or six digits of v below 10^3 or 10^6. */
static inline char *put_milli(char *p, unsigned v)
{
	*p++ = (char)('0' + v / 100);
	return ft_2(p, v % 100);
}

static inline char *put_micro(char *p, unsigned v)
{
	return ft_6(p, v);
}

/* "%*s" of seconds with microseconds. */
static inline char *put_seconds(char *p, u64 ns, int width)
{
	p = put_u64(p, ns / 1000000000, width - 7, ' ');
	*p++ = '.';
	return put_micro(p, (unsigned)(ns % 1000000000 / 1000));
}

/* put_seconds() of times that go on: the text of the whole seconds is kept. One width for each;
 * zeroed at first. */
struct put_clock { u64 from_ns; size_t n; char text[48]; };

/* width below 28; writes FT_SLACK beyond the end */
static inline char *put_clock(struct put_clock *c, char *p, u64 ns, int width)
{
	if (__builtin_expect(ns < c->from_ns || ns - c->from_ns >= 1000000000 || !c->n, 0)) {
		c->n = (size_t)(put_seconds(c->text, ns, width) - c->text) - 6;
		c->from_ns = ns - ns % 1000000000;
	}
	return put_micro(ft_padded(p, c->text, c->n), (u32)(ns - c->from_ns) / 1000);
}

/* Whole microseconds in ms, "%*.3f" without rounding up. */
static inline char *put_ms(char *p, u64 ns, int width)
{
	p = put_u64(p, ns / 1000000, width - 4, ' ');
	*p++ = '.';
	return put_milli(p, (unsigned)(ns / 1000 % 1000));
}

/* put_ms() of width 9 without branches, for columns of times of all sizes; writes a byte beyond
 * the end. */
static inline char *put_ms_9(char *p, u64 ns)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	/* eight digits: one a byte, the first in the lowest */
	if (ns < 100000000000ULL) {
		const u32 us = (u32)(ns / 1000), high = us / 10000, low = us % 10000;
		u64 x = ft_pair(high / 100) | ft_pair(high % 100) << 16 | ft_pair(low / 100) << 32 |
			ft_pair(low % 100) << 48;
		/* Up to four zeros that it begins with turn into blanks. */
		const unsigned zeros = (unsigned)__builtin_ctzll((x ^ 0x3030303030303030ULL) |
								 1ULL << 32) & 0x38;
		u32 milli;

		x ^= 0x10101010ULL & ((1ULL << zeros) - 1);
		milli = (u32)(x >> 40);
		memcpy(p, &x, 8);
		p[5] = '.';
		memcpy(p + 6, &milli, 4);
		return p + 9;
	}
#endif
	return put_ms(p, ns, 9);
}

static inline char *put_chars(char *p, char c, size_t n)
{
	memset(p, c, n);
	return p + n;
}

static inline char *put_text(char *p, const char *s, size_t n)
{
	memcpy(p, s, n);
	return p + n;
}

/* Room for n bytes at the end of s, to be written from the result on; then str_took() says where
 * writing ended. */
static inline char *str_room(struct str *s, size_t n)
{
	str_reserve(s, n);
	return s->buf + s->len;
}

static inline void str_took(struct str *s, char *end)
{
	s->len = (size_t)(end - s->buf);
	*end = '\0';
}

#endif
