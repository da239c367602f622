/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_NUM_H
#define BASE_NUM_H
/*
 * Numbers and lists as users write them. All parsers take the whole string, and refuse overflow and
 * trailing text.
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/vec.h"

bool parse_u64(const char *s, u64 *out);		/* decimal, 0x hex, 0 octal */
bool parse_s64(const char *s, s64 *out);
bool parse_int(const char *s, int *out);
bool parse_double(const char *s, double *out);
/* Without its fraction; the nearest that there is for what no u64 holds: a plain conversion of
 * those is undefined. NaN is 0. */
u64 u64_of(double v);
bool parse_hex(const char *s, u64 *out);		/* with or without 0x */
/* "16M", "4k", "1G", "512B", "100" -> bytes. */
bool parse_size(const char *s, u64 *bytes);
/* "100ms", "5s", "2us", "300ns", "1m"; without unit: in units of default_ns. */
bool parse_duration(const char *s, u64 default_ns, u64 *ns);
/* Seconds with a fraction ("12.000345678") -> ns, exact. */
bool parse_time_ns(const char *s, u64 *ns);

typedef VEC(int) int_vec;
/* "0-3,7,9-11" -> 0 1 2 3 7 9 10 11, sorted and unique. */
int parse_int_list(const char *s, int_vec *out, struct err *err);
bool int_list_has(const int_vec *sorted, int x);
void str_add_int_list(struct str *s, const int *v, size_t n);	/* the inverse, with ranges */

/* "SECONDS.UUUUUU" (decimals 6) or with decimals 9; truncates. */
void str_add_time(struct str *s, u64 ns, int decimals);
/* Decimal digits with separators every three digits, as %' in the current locale. */
void str_add_grouped(struct str *s, u64 v);

#endif
