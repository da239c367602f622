// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdlib.h>

#include "util/base/fasttext.h"
#include "util/base/str.h"
#include "util/base/utf8.h"
#include "util/base/xalloc.h"

size_t utf8_len(const void *ptr, size_t n)
{
	const u8 *p = ptr;
	size_t len = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 :
		p[0] < 0xf5 ? 4 : 0;

	if (len < 2)
		return len;
	if (len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

u32 utf8_decode(const void *ptr, size_t len)
{
	const u8 *p = ptr;
	u32 c = len == 1 ? p[0] : p[0] & (0xff >> (len + 1));

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

static void add_escaped(struct str *s, const u8 *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		str_add(s, "\\x");
		str_add_hex(s, p[i], 2);
	}
}

/* Marks and overrides of the writing direction, and line separators: with them a name is shown
 * as another one. */
bool utf8_is_shown(u32 c)
{
	return c >= 0xa0 && !(c >= 0x200e && c <= 0x200f) && !(c >= 0x2028 && c <= 0x202e) &&
		!(c >= 0x2066 && c <= 0x2069) && c != 0x61c;
}

/* Bytes that are no UTF-8 are escaped too: a terminal may take them for C1 controls. */
void str_add_safen(struct str *s, const char *text, size_t n)
{
	const u8 *p = (const u8 *)text;
	size_t i = 0;

	while (i < n) {
		size_t run = i + plain_prefix(text + i, n - i);

		if (run > i)
			str_addn(s, p + i, run - i);
		i = run;
		if (i == n)
			return;
		size_t len = utf8_len(p + i, n - i);
		u32 c = len ? utf8_decode(p + i, len) : 0;

		if (utf8_is_shown(c))
			str_addn(s, p + i, len);
		else
			add_escaped(s, p + i, len ? len : 1);
		i += len ? len : 1;
	}
}

void str_add_safe(struct str *s, const char *text)
{
	str_add_safen(s, text, strlen(text));
}

void str_add_folded(struct str *s, const char *name)
{
	const size_t from = s->len;

	str_add_safe(s, name);
	for (size_t i = from; i < s->len; i++)
		if (s->buf[i] == ';')
			s->buf[i] = ':';
}

bool str_has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

bool str_has_suffix(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return k <= n && !memcmp(s + n - k, suffix, k);
}

/* p: after the '['. Returns what follows the ']', or NULL when there is none: then '[' is an
 * ordinary character. */
static const char *match_class(const char *p, char c, bool *match)
{
	bool negate = *p == '!' || *p == '^', hit = false, first = true;
	unsigned char x = (unsigned char)c;

	if (negate)
		p++;
	for (; *p && (first || *p != ']'); first = false) {
		unsigned char lo, hi;

		if (*p == '\\' && p[1])
			p++;
		lo = hi = (unsigned char)*p++;
		if (*p == '-' && p[1] && p[1] != ']') {
			p++;
			if (*p == '\\' && p[1])
				p++;
			hi = (unsigned char)*p++;
		}
		hit |= lo <= x && x <= hi;
	}
	if (!*p)
		return NULL;
	*match = hit != negate;
	return p + 1;
}

/* One pattern element other than '*' against c: what follows it in the pattern, or NULL when it
 * does not match. */
static const char *match_one(const char *p, char c)
{
	if (*p == '?')
		return p + 1;
	if (*p == '[') {
		bool match = false;
		const char *next = match_class(p + 1, c, &match);

		if (next)
			return match ? next : NULL;
	}
	if (*p == '\\' && p[1])
		p++;
	return *p == c ? p + 1 : NULL;
}

/* Only the last '*' needs to be tried again, so the time is bounded by the product of the
 * lengths. */
bool glob_match(const char *s, const char *pattern)
{
	const char *star = NULL, *star_s = NULL, *next;

	while (*s) {
		if (*pattern == '*') {
			star = ++pattern;
			star_s = s;
		} else if (*pattern && (next = match_one(pattern, *s))) {
			pattern = next;
			s++;
		} else if (star) {
			pattern = star;
			s = ++star_s;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool is_glob(const char *s)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '*' || *s == '?' || *s == '[')
			return true;
	}
	return false;
}

/* Optimal string alignment over three rows: insert, delete, replace, swap of neighbours cost 1
 * each. */
int edit_distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	int *row[3], *mem = xcalloc(3 * (m + 1), sizeof(int));

	for (int i = 0; i < 3; i++)
		row[i] = mem + (size_t)i * (m + 1);
	for (size_t j = 0; j <= m; j++)
		row[1][j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		int *cur = row[2], *prev = row[1], *prev2 = row[0];

		cur[0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			int d = prev[j - 1] + (a[i - 1] != b[j - 1]);

			d = MIN(d, prev[j] + 1);
			d = MIN(d, cur[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = MIN(d, prev2[j - 2] + 1);
			cur[j] = d;
		}
		row[0] = prev;
		row[1] = cur;
		row[2] = prev2;
	}
	int d = row[1][m];

	free(mem);
	return d;
}

const char *nearest_name(const char *s, const char *const *cands, size_t n)
{
	size_t len = strlen(s);
	/* two of three letters changed are another word */
	int best = INT_MAX, limit = len < 4 ? 1 : MAX(2, (int)(len / 3));
	const char *name = NULL;

	for (size_t i = 0; i < n; i++) {
		size_t k = strlen(cands[i]), gap = k > len ? k - len : len - k;

		if (gap > (size_t)limit)
			continue;
		int d = edit_distance(s, cands[i]);

		/* nothing in common is no suggestion */
		if (d <= limit && d < best && d < (int)MAX(k, len)) {
			best = d;
			name = cands[i];
		}
	}
	return name;
}

void str_add_utf8(struct str *s, const char *text)
{
	for (size_t left = strlen(text), len; left; left -= len, text += len) {
		for (len = 0; len < left && !(text[len] & 0x80);)
			len++;
		str_addn(s, text, len);
		if (len)
			continue;
		len = utf8_len(text, left);
		if (len)
			str_addn(s, text, len);
		else
			str_add(s, "\xef\xbf\xbd");
		len = len ? len : 1;
	}
}
