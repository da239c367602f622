/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_STR_H
#define BASE_STR_H
/*
 * struct str: a growable, always NUL-terminated byte string. struct span: borrowed bytes with a
 * length. One owner; zeroed memory is an empty string.
 */
#include <stdarg.h>
#include <string.h>

#include "util/base/types.h"

struct str {
	char *buf;	/* NULL while nothing was added: use str_cstr() */
	size_t len;	/* bytes without the NUL */
	size_t cap;
};

struct span {
	const u8 *ptr;
	size_t len;
};

#define STR_INIT { NULL, 0, 0 }

static inline const char *str_cstr(const struct str *s) { return s->buf ? s->buf : ""; }

void str_release(struct str *s);			/* frees; the string is empty again */
void str_reset(struct str *s);				/* length 0, memory kept */
void str_cut_lines(struct str *s, size_t lines);	/* nothing of it after so many lines */
void str_reserve(struct str *s, size_t extra_bytes);	/* room for extra bytes and the NUL */
void str_add_long(struct str *s, const char *text);
void str_addchn(struct str *s, char c, size_t n);	/* n times c */
void str_addf(struct str *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
void str_addv(struct str *s, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
void str_add_u64(struct str *s, u64 v);			/* decimal, fast */
void str_add_hex(struct str *s, u64 v, int min_digits);	/* lower case, no 0x, fast */
/* Untrusted text: every control character (also DEL, and C1 in UTF-8) becomes \xNN, so that no
 * file's name moves a cursor. */
void str_add_safe(struct str *s, const char *text);
/* The same as a name in a folded stack ("main;work 42"): ; becomes : there. */
void str_add_folded(struct str *s, const char *name);
/* Text for a format that has to be UTF-8: bytes that are none become U+FFFD. */
void str_add_utf8(struct str *s, const char *text);
void str_add_safen(struct str *s, const char *text, size_t n);

/* Output is made of short pieces: what fits is added in place. */
static inline void str_addn(struct str *s, const void *p, size_t n)
{
	if (n >= s->cap - s->len)
		str_reserve(s, n);
	if (n)
		memcpy(s->buf + s->len, p, n);
	s->len += n;
	s->buf[s->len] = '\0';
}

static inline void str_addch(struct str *s, char c)
{
	if (s->cap - s->len < 2)
		str_reserve(s, 1);
	s->buf[s->len++] = c;
	s->buf[s->len] = '\0';
}

static inline void str_add(struct str *s, const char *text)
{
	if (__builtin_constant_p(strlen(text)))
		str_addn(s, text, strlen(text));
	else
		str_add_long(s, text);
}

char *str_detach(struct str *s);			/* the caller frees; never NULL */

bool str_has_prefix(const char *s, const char *prefix);
bool str_has_suffix(const char *s, const char *suffix);
/* Shell-style glob with * ? [a-z] [!a] and backslash; whole string; case-sensitive. */
bool glob_match(const char *s, const char *pattern);
bool is_glob(const char *s);				/* has an unescaped * ? or [ */
/* Distance of Damerau and Levenshtein; for "did you mean". */
int edit_distance(const char *a, const char *b);
/* The nearest of n candidates within a third of the length (at least 2 edits), or NULL. */
const char *nearest_name(const char *s, const char *const *cands, size_t n);

#endif
