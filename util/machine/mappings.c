// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/machine/mappings.h"

#include <stdlib.h>

#include "util/machine/machine-priv.h"

static int cmp_start(const void *pa, const void *pb)
{
	const struct mapping *a = *(const struct mapping *const *)pa;
	const struct mapping *b = *(const struct mapping *const *)pb;

	return a->start_va < b->start_va ? -1 : a->start_va > b->start_va;
}

/* Of sorted ones, which do not overlap each other. */
static bool overlaps(const mappings *sorted, const struct mapping *m)
{
	size_t from = 0, to = sorted->n;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (sorted->v[mid]->end_va <= m->start_va)
			from = mid + 1;
		else
			to = mid;
	}
	return from < sorted->n && sorted->v[from]->start_va < m->end_va;
}

static void add(mappings *out, mappings *more)
{
	for vec_each(m, more)
		vec_push(out, *m);
	vec_free(more);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), cmp_start);
}

void space_mappings(const struct space *s, mappings *out)
{
	u32 version = UINT32_MAX;	/* the newest */

	for (; s; version = s->base_v, s = s->base) {
		mappings more = { 0 };

		for vec_each(mv, &s->all) {
			const bool valid = version == UINT32_MAX ? (*mv)->to_v == UINT32_MAX :
				(*mv)->from_v <= version && version < (*mv)->to_v;

			if (valid && !overlaps(out, &(*mv)->m))
				vec_push(&more, &(*mv)->m);
		}
		add(out, &more);
	}
}
