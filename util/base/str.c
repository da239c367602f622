// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/str.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/base/fasttext.h"
#include "util/base/xalloc.h"

void str_release(struct str *s)
{
	free(s->buf);
	*s = (struct str)STR_INIT;
}

void str_reset(struct str *s)
{
	s->len = 0;
	if (s->buf)
		s->buf[0] = '\0';
}

void str_cut_lines(struct str *s, size_t lines)
{
	const char *p = str_cstr(s);

	while (lines-- && (p = strchr(p, '\n')))
		p++;
	if (p)
		s->len = (size_t)(p - str_cstr(s));
}

void str_reserve(struct str *s, size_t extra_bytes)
{
	size_t need;

	if (__builtin_add_overflow(s->len + 1, extra_bytes, &need))
		need = SIZE_MAX;	/* the allocator dies */
	if (need <= s->cap)
		return;
	size_t cap = s->cap < 32 ? 64 : s->cap * 2;

	if (cap < need)
		cap = need;
	s->buf = xrealloc(s->buf, cap);
	s->cap = cap;
	s->buf[s->len] = '\0';
}

void str_add_long(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text));
}

void str_addchn(struct str *s, char c, size_t n)
{
	str_reserve(s, n);
	memset(s->buf + s->len, c, n);
	s->len += n;
	s->buf[s->len] = '\0';
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_addv(s, fmt, ap);
	va_end(ap);
}

void str_addv(struct str *s, const char *fmt, va_list ap)
{
	va_list again;

	str_reserve(s, 63);
	va_copy(again, ap);
	int n = vsnprintf(s->buf + s->len, s->cap - s->len, fmt, ap);

	if (n >= 0 && (size_t)n >= s->cap - s->len) {
		str_reserve(s, (size_t)n);
		vsnprintf(s->buf + s->len, s->cap - s->len, fmt, again);
	}
	va_end(again);
	if (n > 0)
		s->len += (size_t)n;
	s->buf[s->len] = '\0';
}

const char ft_two_digits[201] =
	"0001020304050607080910111213141516171819"
	"2021222324252627282930313233343536373839"
	"4041424344454647484950515253545556575859"
	"6061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

const u64 ft_powers[20] = {
	1ULL, 10ULL, 100ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL, 10000000ULL, 100000000ULL,
		1000000000ULL, 10000000000ULL,
	100000000000ULL, 1000000000000ULL, 10000000000000ULL, 100000000000000ULL,
	1000000000000000ULL, 10000000000000000ULL,
	100000000000000000ULL, 1000000000000000000ULL, 10000000000000000000ULL,
};

void str_add_u64(struct str *s, u64 v)
{
	str_reserve(s, FT_NUMBER);
	s->len = (size_t)(ft_u64(s->buf + s->len, v) - s->buf);
	s->buf[s->len] = '\0';
}

void str_add_hex(struct str *s, u64 v, int min_digits)
{
	int digits = ft_hex_digits(v);

	if (min_digits > digits)
		str_addchn(s, '0', (size_t)(min_digits - digits));
	str_reserve(s, FT_NUMBER);
	s->len = (size_t)(ft_hex(s->buf + s->len, v) - s->buf);
	s->buf[s->len] = '\0';
}

char *str_detach(struct str *s)
{
	str_reserve(s, 0);
	char *p = s->buf;

	*s = (struct str)STR_INIT;
	return p;
}
