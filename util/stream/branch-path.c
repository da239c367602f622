// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A branch stack as a path through the code. Rounds of a loop that follow each other are one, as
 * soon as it is known that it is a loop: a branch whose source was met before, from which on the
 * same sources follow as there.
 */
#include <string.h>

#include "include/abi/perf_event.h"
#include "util/stream/stream-priv.h"

/* The first of the branches before v[i] that comes from where it does; i: none. */
static size_t first_from(const struct branch_end *v, size_t i)
{
	size_t k = 0;

	while (k < i && v[k].branch->from != v[i].branch->from)
		k++;
	return k;
}

/* How many branches of a round that began at v[from] come again at v[at], the last ones possibly
 * not all; 0: others follow. */
static size_t same_round(const struct branch_end *v, size_t from, size_t at, size_t n)
{
	size_t k = 0;

	for (; from + k < at && at + k < n; k++)
		if (v[from + k].branch->from != v[at + k].branch->from)
			return 0;
	return k;
}

/* What follows the round that goes says so. */
static size_t drop_round(struct branch_end *v, size_t at, size_t len, size_t n)
{
	u64 cycles = 0;

	for (size_t k = 0; k < len; k++)
		cycles += v[at + k].branch->cycles;
	if (at + len < n) {
		v[at + len].rounds++;
		v[at + len].round_cycles += cycles;
		memmove(v + at, v + at + len, (n - at - len) * sizeof(*v));
	}
	return n - len;
}

static size_t fold_rounds(struct branch_end *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const size_t first = first_from(v, i);
		const size_t len = first < i ? same_round(v, first, i, n) : 0;

		if (len)
			n = drop_round(v, i, len, n);
	}
	return n;
}

size_t branch_path(const struct sample *s, bool oldest_first, u64 max, struct branch_end *out)
{
	const size_t n = (size_t)MIN(MIN(s->branch.n, max), (u64)MAX_BRANCH_PATH);

	for (size_t i = 0; i < n; i++)
		out[i] = (struct branch_end){
			.branch = &s->branch.entries[oldest_first ? n - 1 - i : i] };
	return fold_rounds(out, n);
}
