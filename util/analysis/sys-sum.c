// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys.h"

#include <math.h>
#include <stdlib.h>

void sys_summary_release(struct sys_summary *s)
{
	for vec_each(g, &s->groups) {
		for vec_each(r, &g->rows)
			vec_free(&r->errnos);
		vec_free(&g->rows);
		hmap_release(&g->by_call);
		free(g->label);
	}
	vec_free(&s->groups);
	hmap_release(&s->by_id);
	s->events = 0;
}

struct sys_sum_group *sys_summary_group(struct sys_summary *s, u64 id)
{
	uintptr_t at = (uintptr_t)hmap_get(&s->by_id, id);

	if (!at) {
		vec_add(&s->groups)->id = id;
		at = s->groups.n;
		hmap_put(&s->by_id, id, (void *)at);
	}
	return &s->groups.v[at - 1];
}

static struct sys_sum_row *sys_summary_row(struct sys_sum_group *g, u32 nr, bool compat)
{
	u64 key = (u64)compat << 32 | nr;
	uintptr_t at = (uintptr_t)hmap_get(&g->by_call, key);

	if (!at) {
		struct sys_sum_row *r = vec_add(&g->rows);

		r->nr = nr;
		r->compat = compat;
		r->min_ns = UINT64_MAX;
		at = g->rows.n;
		hmap_put(&g->by_call, key, (void *)at);
	}
	return &g->rows.v[at - 1];
}

void sys_summary_add_sum(struct sys_summary *s, u64 group, u32 nr, bool compat,
			 const struct syssum *sum)
{
	struct sys_sum_group *g = sys_summary_group(s, group);
	struct sys_sum_row *r = sys_summary_row(g, nr, compat);

	r->count += sum->count;
	r->errors += sum->errors;
	r->total_ns += sum->total_ns;
	r->min_ns = MIN(r->min_ns, sum->min_ns);
	r->max_ns = MAX(r->max_ns, sum->max_ns);
	r->squares += (double)sum->sq_hi * 18446744073709551616.0 + (double)sum->sq_lo;
	g->events += 2 * sum->count;
	s->events += 2 * sum->count;
}

void sys_summary_add_errno(struct sys_summary *s, u64 group, u32 nr, bool compat, u32 code, u64 n)
{
	struct sys_sum_row *r = sys_summary_row(sys_summary_group(s, group), nr, compat);

	for vec_each(e, &r->errnos) {
		if (e->code == code) {
			e->n += n;
			return;
		}
	}
	*vec_add(&r->errnos) = (struct sys_errno){ code, n };
}

void sys_summary_add(struct sys_summary *s, u64 group, u32 nr, bool compat, u64 ns, s64 ret)
{
	bool failed = ret < 0 && ret >= -4095;
	unsigned __int128 sq = (unsigned __int128)ns * ns;
	const struct syssum sum = { .count = 1, .errors = failed, .total_ns = ns, .min_ns = ns,
				    .max_ns = ns,
				    .sq_lo = (u64)sq, .sq_hi = (u64)(sq >> 64) };

	sys_summary_add_sum(s, group, nr, compat, &sum);
	if (failed)
		sys_summary_add_errno(s, group, nr, compat, -ret, 1);
}

static int cmp_row(const void *a, const void *b)
{
	const struct sys_sum_row *x = a, *y = b;

	if (x->total_ns != y->total_ns)
		return x->total_ns < y->total_ns ? 1 : -1;
	if (x->compat != y->compat)
		return x->compat ? 1 : -1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

static int cmp_errno(const void *a, const void *b)
{
	const struct sys_errno *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

static int cmp_group(const void *a, const void *b)
{
	const struct sys_sum_group *x = a, *y = b;

	if (x->events != y->events)
		return x->events < y->events ? 1 : -1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void sys_summary_sort(struct sys_summary *s)
{
	for vec_each(g, &s->groups) {
		for vec_each(r, &g->rows)
			if (r->errnos.n)
				qsort(r->errnos.v, r->errnos.n, sizeof(*r->errnos.v), cmp_errno);
		if (g->rows.n)
			qsort(g->rows.v, g->rows.n, sizeof(*g->rows.v), cmp_row);
		hmap_release(&g->by_call);
	}
	if (s->groups.n)
		qsort(s->groups.v, s->groups.n, sizeof(*s->groups.v), cmp_group);
	hmap_release(&s->by_id);
}

double sys_sum_stddev_pct(const struct sys_sum_row *r)
{
	double n = (double)r->count, avg, var;

	if (r->count < 2 || !r->total_ns)
		return 0;
	avg = (double)r->total_ns / n;
	var = (r->squares - n * avg * avg) / (n - 1);
	return var > 0 ? sqrt(var / n) * 100 / avg : 0;
}
