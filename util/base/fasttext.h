/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_FASTTEXT_H
#define BASE_FASTTEXT_H
/*
 * Text into a buffer that is known to be large enough, without a call for each part: for lines that
 * are made millions of times. Each function writes at p and returns where the text ends. Some write
 * beyond that end what counts for nothing: leave FT_SLACK bytes. No NUL is written.
 */
#include <string.h>

#include "util/base/types.h"

enum { FT_SLACK = 16, FT_NUMBER = 20 + FT_SLACK };	/* room that a number of 64 bits needs */

extern const char ft_two_digits[201];
extern const u64 ft_powers[20];		/* of ten */

static inline char *ft_bytes(char *p, const void *from, size_t n)
{
	memcpy(p, from, n);
	return p + n;
}

/* What was made by ft_pad(): sixteen bytes at a time, for texts that are mostly short. */
static inline char *ft_padded(char *p, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i += FT_SLACK)
		memcpy(p + i, from + i, FT_SLACK);
	return p + n;
}

/* Up to 64 bytes without a call, and without reading after them. */
static inline char *ft_short(char *p, const char *from, size_t n)
{
	if (n >= 16) {
		size_t i = 0;

		for (; i + 16 < n; i += 16)
			memcpy(p + i, from + i, 16);
		memcpy(p + n - 16, from + n - 16, 16);
	} else if (n >= 8) {
		memcpy(p, from, 8);
		memcpy(p + n - 8, from + n - 8, 8);
	} else if (n >= 4) {
		memcpy(p, from, 4);
		memcpy(p + n - 4, from + n - 4, 4);
	} else if (n) {
		p[0] = from[0];
		p[n / 2] = from[n / 2];
		p[n - 1] = from[n - 1];
	}
	return p + n;
}

static inline char *ft_blanks(char *p, int n)
{
	for (; n > 0; n--)
		*p++ = ' ';
	return p;
}

static inline char *ft_2(char *p, u32 v)	/* below 100, two digits */
{
	memcpy(p, &ft_two_digits[v * 2], 2);
	return p + 2;
}

/* The same two digits as a number, in the order of memory. */
static inline u64 ft_pair(u32 v)
{
	u16 two;

	memcpy(&two, &ft_two_digits[v * 2], 2);
	return two;
}

static inline char *ft_4(char *p, u32 v)	/* below 10000, four digits */
{
	return ft_2(ft_2(p, v / 100), v % 100);
}

static inline char *ft_6(char *p, u32 v)
{
	return ft_2(ft_4(p, v / 100), v % 100);
}

static inline char *ft_8(char *p, u32 v)
{
	return ft_4(ft_4(p, v / 10000), v % 10000);
}

static inline char *ft_u32(char *p, u32 v)
{
	if (v < 10) {
		*p = (char)('0' + v);
		return p + 1;
	}
	if (v < 100)
		return ft_2(p, v);
	if (v < 10000) {
		if (v >= 1000)
			return ft_4(p, v);
		*p = (char)('0' + v / 100);
		return ft_2(p + 1, v % 100);
	}
	if (v < 100000000)
		return ft_4(ft_u32(p, v / 10000), v % 10000);
	return ft_8(ft_u32(p, v / 100000000), v % 100000000);
}

static inline char *ft_u64(char *p, u64 v)
{
	if (v <= UINT32_MAX)
		return ft_u32(p, (u32)v);
	if (v / 100000000 <= UINT32_MAX)
		return ft_8(ft_u32(p, (u32)(v / 100000000)), (u32)(v % 100000000));
	p = ft_u32(p, (u32)(v / 10000000000000000ULL));
	v %= 10000000000000000ULL;
	return ft_8(ft_8(p, (u32)(v / 100000000)), (u32)(v % 100000000));
}

static inline int ft_u64_digits(u64 v)
{
	int n = (64 - __builtin_clzll(v | 1)) * 1233 >> 12;	/* bits times log10(2) */

	return n + (v >= ft_powers[n]) + !v;
}

static inline char *ft_s64(char *p, s64 v)
{
	if (v < 0)
		*p++ = '-';
	return ft_u64(p, v < 0 ? -(u64)v : (u64)v);
}

/* Right-aligned in width. */
static inline char *ft_s64_right(char *p, s64 v, int width)
{
	u64 u = v < 0 ? -(u64)v : (u64)v;

	p = ft_blanks(p, width - ft_u64_digits(u) - (v < 0));
	return ft_s64(p, v);
}

/* Eight hexadecimal digits, in the order of memory: nibbles are spread to bytes and turned to
 * text all at once. */
static inline u64 ft_hex_8(u32 v)
{
	u64 x = v;

	x = (x << 16 | x) & 0x0000ffff0000ffffULL;
	x = (x << 8 | x) & 0x00ff00ff00ff00ffULL;
	x = (x << 4 | x) & 0x0f0f0f0f0f0f0f0fULL;
	u64 letter = (x + 0x0606060606060606ULL) >> 4 & 0x0101010101010101ULL;

	x += 0x3030303030303030ULL + letter * ('a' - '0' - 10);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

static inline int ft_hex_digits(u64 v)
{
	return v ? (67 - __builtin_clzll(v)) / 4 : 1;
}

/* Lower case, no 0x. The digits are moved to the front in registers: what was just stored in two
 * pieces is slow to load as one. */
static inline char *ft_hex(char *p, u64 v)
{
	const int digits = ft_hex_digits(v);
	u64 text[2] = { ft_hex_8((u32)(v >> 32)), ft_hex_8((u32)v) };
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const unsigned skip = 8 * (unsigned)(16 - digits);
	const u64 high = skip >= 64 ? text[1] : text[0], low = skip >= 64 ? 0 : text[1];

	text[0] = high >> (skip & 63) | (low << 1) << (63 - (skip & 63));
	text[1] = low >> (skip & 63);
	memcpy(p, &text[0], 8);
	memcpy(p + 8, &text[1], 8);
#else
	memcpy(p, (const char *)text + 16 - digits, digits);
#endif
	return p + digits;
}

static inline char *ft_hex_right(char *p, u64 v, int width)
{
	return ft_hex(ft_blanks(p, width - ft_hex_digits(v)), v);
}

/* The lowest n bytes set, of eight. */
static inline u64 ft_low_bytes(unsigned n)
{
	return n >= 8 ? ~0ULL : (1ULL << 8 * n) - 1;
}

/* As addresses stand: right-aligned in 16. The zeros in front are made blanks. */
static inline char *ft_hex_16(char *p, u64 v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const unsigned zeros = 16 - (unsigned)ft_hex_digits(v);
	const u64 to_blank = 0x1010101010101010ULL;	/* '0' - ' ' */
	const u64 high = ft_hex_8((u32)(v >> 32)) - (to_blank & ft_low_bytes(zeros));
	const u64 low = ft_hex_8((u32)v) - (to_blank & ft_low_bytes(zeros > 8 ? zeros - 8 : 0));

	memcpy(p, &high, 8);
	memcpy(p + 8, &low, 8);
	return p + 16;
#else
	return ft_hex_right(p, v, 16);
#endif
}

/* How many of the n bytes from s on are printable ASCII. */
static inline size_t plain_prefix(const char *s, size_t n)
{
	size_t i = 0;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	/* Eight at a time: the lowest byte below 0x20, or above 0x7e, has its top bit in "odd";
	 * bits above it mean nothing. */
	for (; i + 8 <= n; i += 8) {
		u64 x, odd;

		memcpy(&x, s + i, 8);
		odd = (((x - 0x2020202020202020ULL) & ~x) | (x + 0x0101010101010101ULL) | x) &
			0x8080808080808080ULL;
		if (odd)
			return i + (size_t)__builtin_ctzll(odd) / 8;
	}
#endif
	while (i < n && s[i] >= 0x20 && s[i] < 0x7f)
		i++;
	return i;
}

#endif
