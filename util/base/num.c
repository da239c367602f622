// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/num.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/* At least one digit; stops at the first other character, which *s then points to. */
static bool scan_digits(const char **s, unsigned base, u64 *out)
{
	const char *p = *s;
	u64 v = 0;

	if ((unsigned)digit_value(*p) >= base)
		return false;
	for (; (unsigned)digit_value(*p) < base; p++)
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, (u64)digit_value(*p), &v))
			return false;
	*s = p;
	*out = v;
	return true;
}

static bool whole_number(const char *s, unsigned base, u64 *out)
{
	u64 v;

	if (!scan_digits(&s, base, &v) || *s)
		return false;
	*out = v;
	return true;
}

static bool has_0x(const char *s)
{
	return s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
}

bool parse_u64(const char *s, u64 *out)
{
	if (has_0x(s))
		return whole_number(s + 2, 16, out);
	if (s[0] == '0' && s[1])
		return whole_number(s + 1, 8, out);
	return whole_number(s, 10, out);
}

bool parse_hex(const char *s, u64 *out)
{
	return whole_number(has_0x(s) ? s + 2 : s, 16, out);
}

bool parse_s64(const char *s, s64 *out)
{
	bool minus = *s == '-';
	u64 v;

	if (!parse_u64(*s == '-' || *s == '+' ? s + 1 : s, &v) || v > (u64)INT64_MAX + minus)
		return false;
	*out = minus ? (s64)(0 - v) : (s64)v;
	return true;
}

bool parse_int(const char *s, int *out)
{
	s64 v;

	if (!parse_s64(s, &v) || v < INT_MIN || v > INT_MAX)
		return false;
	*out = (int)v;
	return true;
}

/* Always with a point, whatever the locale says; no blanks, "inf", "nan". */
u64 u64_of(double v)
{
	if (!(v > 0))
		return 0;
	return v < 0x1p64 ? (u64)v : UINT64_MAX;
}

bool parse_double(const char *s, double *out)
{
	const char *p = *s == '-' || *s == '+' ? s + 1 : s;
	char *end;

	if (!(*p >= '0' && *p <= '9') && !(*p == '.' && p[1] >= '0' && p[1] <= '9'))
		return false;
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	if (!c)
		return false;
	double v = strtod_l(s, &end, c);

	freelocale(c);
	if (*end || !(v - v == 0))
		return false;
	*out = v;
	return true;
}

static bool scale(u64 v, u64 factor, u64 *out)
{
	u64 r;

	if (__builtin_mul_overflow(v, factor, &r))
		return false;
	*out = r;
	return true;
}

bool parse_size(const char *s, u64 *bytes)
{
	static const char units[] = "kmgt";
	u64 v, factor = 1;

	if (!scan_digits(&s, 10, &v))
		return false;
	const char *u = *s ? strchr(units, *s | 0x20) : NULL;

	if (u) {
		factor = 1ULL << (10 * (u - units + 1));
		s++;
	}
	if (*s == 'B' || *s == 'b')
		s++;
	return !*s && scale(v, factor, bytes);
}

/* "12.5xy": whole part, fraction in units of 1e-9 (more than nine digits are refused), and where
 * the text goes on. */
static bool scan_fixed(const char **s, u64 *whole, u64 *nano)
{
	u64 unit = NSEC_PER_SEC;
	bool digits = **s >= '0' && **s <= '9';

	*whole = *nano = 0;
	if (digits && !scan_digits(s, 10, whole))
		return false;
	if (**s == '.') {
		for (++*s; **s >= '0' && **s <= '9'; ++*s) {
			if (unit == 1)
				return false;
			unit /= 10;
			*nano += (u64)(**s - '0') * unit;
			digits = true;
		}
	}
	return digits;
}

bool parse_duration(const char *s, u64 default_ns, u64 *ns)
{
	static const struct {
		char name[4];
		u64 ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", NSEC_PER_SEC },
			{ "m", 60 * NSEC_PER_SEC },
		{ "min", 60 * NSEC_PER_SEC }, { "h", 3600 * NSEC_PER_SEC },
	};
	u64 whole, nano, unit = 0;

	if (!scan_fixed(&s, &whole, &nano))
		return false;
	if (!*s)
		unit = default_ns;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(s, units[i].name))
			unit = units[i].ns;
	if (!unit)
		return false;
	unsigned __int128 v = ((unsigned __int128)whole * NSEC_PER_SEC + nano) * unit /
		NSEC_PER_SEC;

	if (v > UINT64_MAX)
		return false;
	*ns = (u64)v;
	return true;
}

bool parse_time_ns(const char *s, u64 *ns)
{
	u64 whole, nano, v;

	if (!scan_fixed(&s, &whole, &nano) || *s ||
	    __builtin_mul_overflow(whole, NSEC_PER_SEC, &v) ||
	    __builtin_add_overflow(v, nano, &v))
		return false;
	*ns = v;
	return true;
}

/* A list with more numbers is a mistake: CPUs and pids both stay below it. */
#define INT_LIST_MAX (1 << 22)

struct int_range { int lo, hi; };
typedef VEC(struct int_range) int_ranges;

static int cmp_range(const void *a, const void *b)
{
	const struct int_range *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* n: how many numbers the list has so far. */
static int scan_range(const char **s, int_ranges *v, u64 *n, const char *text, struct err *err)
{
	u64 lo, hi;

	if (!scan_digits(s, 10, &lo))
		return err_set(err, EINVAL, "bad list '%s': expected a number at '%s'", text, *s);
	hi = lo;
	if (**s == '-') {
		++*s;
		if (!scan_digits(s, 10, &hi))
			return err_set(err, EINVAL, "bad list '%s': expected a number at '%s'",
				       text, *s);
	}
	if (hi < lo)
		return err_set(err, EINVAL, "bad list '%s': range %" PRIu64 "-%"
			       PRIu64 " is reversed", text, lo, hi);
	if (hi > INT_MAX || hi - lo >= INT_LIST_MAX || *n + (hi - lo) >= INT_LIST_MAX)
		return err_set(err, ERANGE, "bad list '%s': %" PRIu64 "-%"
			       PRIu64 " is out of range", text, lo, hi);
	*n += hi - lo + 1;
	vec_push(v, ((struct int_range){ (int)lo, (int)hi }));
	return 0;
}

/* The numbers of both, in their order, each once. */
static void add_ranges(int_vec *out, int_ranges *v, u64 n)
{
	s64 next = INT_MIN;

	for vec_each(it, out)
		vec_push(v, ((struct int_range){ *it, *it }));
	qsort(v->v, v->n, sizeof(*v->v), cmp_range);
	vec_reserve(out, out->n + n);
	vec_clear(out);
	for vec_each(r, v) {
		for (s64 i = MAX(next, (s64)r->lo); i <= r->hi; i++)
			out->v[out->n++] = (int)i;
		next = MAX(next, (s64)r->hi + 1);
	}
}

int parse_int_list(const char *s, int_vec *out, struct err *err)
{
	const char *text = s;
	int_ranges v = { 0 };
	u64 n = 0;
	int rc;

	while (!(rc = scan_range(&s, &v, &n, text, err)) && *s == ',')
		s++;
	if (!rc && *s == '\n')		/* as in files of /sys */
		s++;
	if (!rc && *s)
		rc = err_set(err, EINVAL, "bad list '%s': expected ',' or '-' at '%s'", text, s);
	if (rc)
		err_hint(err, "write numbers and ranges with commas, such as 0,4-7");
	else
		add_ranges(out, &v, n);
	vec_free(&v);
	return rc;
}

bool int_list_has(const int_vec *sorted, int x)
{
	size_t from = 0, to = sorted->n;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (sorted->v[mid] == x)
			return true;
		if (sorted->v[mid] < x)
			from = mid + 1;
		else
			to = mid;
	}
	return false;
}

void str_add_int_list(struct str *s, const int *v, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t j = i;

		while (j + 1 < n && v[j] != INT_MAX && v[j + 1] == v[j] + 1)
			j++;
		str_addf(s, i ? ",%d" : "%d", v[i]);
		if (j > i)
			str_addf(s, "-%d", v[j]);
		i = j + 1;
	}
}

void str_add_time(struct str *s, u64 ns, int decimals)
{
	u64 frac = ns % NSEC_PER_SEC;
	char digits[9];

	str_add_u64(s, ns / NSEC_PER_SEC);
	if (decimals <= 0)
		return;
	for (int i = 9; i--; frac /= 10)
		digits[i] = (char)('0' + frac % 10);
	str_addch(s, '.');
	str_addn(s, digits, (size_t)MIN(decimals, 9));
}

void str_add_grouped(struct str *s, u64 v)
{
	str_addf(s, "%'" PRIu64, v);
}
