// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long the plain text of a mangled D name can become. Its "Q" references name a place further
 * left, to be read there again: a chain of types, each of which refers twice to the one before,
 * doubles with every link. Here each character weighs as much as what is read for it: 1, and for a
 * reference the weight of what it points to. Types that are not reported apart here weigh as much
 * as everything between them and the reference, which is never too little.
 */
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/elf/demangle.h"

#define MAX_WEIGHT ((u64)1 << 40)
/* libiberty tries function types again and again: 1.5 s for 32,000 bytes of "F" */
#define MAX_D_BYTES 8192

struct dname { const char *text; size_t n; };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The end of a number; *value is cut to what can matter. */
static size_t skip_number(const struct dname *d, size_t at, size_t *value)
{
	for (*value = 0; at < d->n && is_digit(d->text[at]); at++)
		*value = MIN(*value * 10 + (size_t)(d->text[at] - '0'), d->n);
	return at;
}

/* "Q", digits of base 26: capitals, the last one small. How far back, or 0 when it is none. */
static size_t read_reference(const struct dname *d, size_t at, size_t *end)
{
	size_t back = 0;

	for (*end = at + 1; *end < d->n; ) {
		char c = d->text[(*end)++];

		if (c >= 'a' && c <= 'z') {
			back = MIN(back * 26 + (size_t)(c - 'a'), d->n);
			return back <= at ? back : 0;
		}
		if (c < 'A' || c > 'Z')
			return 0;
		back = MIN(back * 26 + (size_t)(c - 'A'), d->n);
	}
	return 0;
}

static size_t skip_name(const struct dname *d, size_t at)
{
	size_t len;

	at = skip_number(d, at, &len);
	return MIN(at + len, d->n);
}

/* Where the element at ends, by what can be said without knowing all types; else stop. */
static size_t end_of(const struct dname *d, size_t at, size_t stop)
{
	size_t n;

	while (at < stop && (strchr("APxyOG", d->text[at]) ||
			     (d->text[at] == 'N' && at + 1 < stop)))
		at = d->text[at] == 'N' ? at + 2 : d->text[at] == 'G' ? skip_number(d, at + 1, &n) :
		at + 1;
	if (at >= stop)
		return stop;
	if (is_digit(d->text[at]))
		return MIN(skip_name(d, at), stop);
	if (d->text[at] == 'H')		/* a table: of its keys, and of its values */
		return at + 1 < stop ? end_of(d, end_of(d, at + 1, stop), stop) : stop;
	if (d->text[at] >= 'a' && d->text[at] <= 'w')
		return at + 1;
	if (d->text[at] == 'Q' && read_reference(d, at, &n))
		return MIN(n, stop);
	if (!strchr("CSEIT", d->text[at]) || at + 1 >= stop ||
	    (!is_digit(d->text[at + 1]) && d->text[at + 1] != 'Q'))
		return stop;
	for (at++; at < stop; at = MIN(n, stop)) {	/* a name of several parts */
		if (is_digit(d->text[at]))
			n = skip_name(d, at);
		else if (d->text[at] != 'Q' || !read_reference(d, at, &n))
			break;
	}
	return at;
}

bool demangle_d_is_bounded(const char *mangled, u64 max_bytes)
{
	const struct dname d = { mangled, strnlen(mangled, MAX_D_BYTES + 1) };
	/* the weight of all before a place */
	u64 *upto = xcalloc(d.n + 1, sizeof(*upto)), total;

	for (size_t i = 0, end; i < d.n; i++) {
		size_t back = d.text[i] == 'Q' ? read_reference(&d, i, &end) : 0;
		u64 weight = 1;

		if (back)
			weight += upto[end_of(&d, i - back, i)] - upto[i - back];
		upto[i + 1] = MIN(upto[i] + weight, MAX_WEIGHT);
	}
	total = upto[d.n];
	free(upto);
	return d.n <= MAX_D_BYTES && total <= max_bytes;
}
