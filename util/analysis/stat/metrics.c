// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/stat/stat-priv.h"

#include <stdlib.h>

#define HW(x) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##x
#define CACHE(id, op, result) PERF_TYPE_HW_CACHE, \
	PERF_COUNT_HW_CACHE_##id | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
	PERF_COUNT_HW_CACHE_RESULT_##result << 16

/* An event shown as a part of another one. */
static const struct ratio {
	u32 type;
	u64 config;
	u32 of_type;
	u64 of_config;
	double factor;
	const char *unit;
} ratios[] = {
	{ HW(INSTRUCTIONS), HW(CPU_CYCLES), 1, "insn per cycle" },
	{ HW(BRANCH_MISSES), HW(BRANCH_INSTRUCTIONS), 100, "of all branches" },
	{ HW(CACHE_MISSES), HW(CACHE_REFERENCES), 100, "of all cache refs" },
	{ HW(STALLED_CYCLES_FRONTEND), HW(CPU_CYCLES), 100, "frontend cycles idle" },
	{ HW(STALLED_CYCLES_BACKEND), HW(CPU_CYCLES), 100, "backend cycles idle" },
	{ CACHE(L1D, READ, MISS), CACHE(L1D, READ, ACCESS), 100, "of all L1-dcache accesses" },
	{ CACHE(L1I, READ, MISS), CACHE(L1I, READ, ACCESS), 100, "of all L1-icache accesses" },
	{ CACHE(LL, READ, MISS), CACHE(LL, READ, ACCESS), 100, "of all LL-cache accesses" },
	{ CACHE(DTLB, READ, MISS), CACHE(DTLB, READ, ACCESS), 100, "of all dTLB cache accesses" },
	{ CACHE(ITLB, READ, MISS), CACHE(ITLB, READ, ACCESS), 100, "of all iTLB cache accesses" },
};

bool stat_is_clock(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE &&
	       (e->attr.config == PERF_COUNT_SW_CPU_CLOCK || e->attr.config ==
		PERF_COUNT_SW_TASK_CLOCK);
}

static bool same_modes(const struct event *a, const struct event *b)
{
	return a->attr.exclude_user == b->attr.exclude_user && a->attr.exclude_kernel ==
		b->attr.exclude_kernel &&
	       a->attr.exclude_guest == b->attr.exclude_guest && a->attr.exclude_host ==
	       b->attr.exclude_host &&
	       a->attr.config >> 32 == b->attr.config >> 32;
}

static double value_of(const struct stat_numbers *n, size_t event, size_t slot)
{
	return n->values[event * n->n_slots + slot];
}

/* The value of the event of this kind and e's cgroup; 0 when there is none. */
static double partner(const struct stat_numbers *n, const struct event *e, u32 type, u64 config,
		      size_t slot)
{
	for (int i = n->first_same[e->index]; i >= 0; i = n->next_same[i]) {
		const struct event *o = n->l->events.v[i];

		if (o->attr.type == type && (o->attr.config & 0xffffffff) == config &&
		    o->supported && same_modes(e, o))
			return value_of(n, (size_t)i, slot);
	}
	return 0;
}

/* CPU time of this slot in ns; 0 without a clock event. */
static double cpu_time(const struct stat_numbers *n, const struct event *e, size_t slot)
{
	for (int i = n->first_same[e->index]; i >= 0; i = n->next_same[i])
		if (stat_is_clock(n->l->events.v[i]) && value_of(n, (size_t)i, slot) > 0)
			return value_of(n, (size_t)i, slot);
	return 0;
}

static bool has_clock(const struct stat_numbers *n, const struct event *e)
{
	for (int i = n->first_same[e->index]; i >= 0; i = n->next_same[i])
		if (stat_is_clock(n->l->events.v[i]) && n->l->events.v[i]->supported)
			return true;
	return false;
}

static struct stat_metric made(const char *unit, double value, int decimals)
{
	return (struct stat_metric){ .unit = unit, .value = value, .decimals = decimals };
}

static bool add_ratio(const struct stat_numbers *n, const struct event *e, size_t slot, double v,
		      struct stat_row *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(ratios); i++) {
		const struct ratio *x = &ratios[i];
		double of;

		if (e->attr.type != x->type || (e->attr.config & 0xffffffff) != x->config)
			continue;
		of = partner(n, e, x->of_type, x->of_config, slot);
		if (of <= 0)
			return false;
		r->also = made(x->unit, x->factor * v / of, 2);
		return true;
	}
	return false;
}

static void add_stalls_per_insn(const struct stat_numbers *n, const struct event *e, size_t slot,
				double insns, struct stat_row *r)
{
	double front = partner(n, e, HW(STALLED_CYCLES_FRONTEND), slot),
		back = partner(n, e, HW(STALLED_CYCLES_BACKEND), slot);
	double stalls = MAX(front, back);

	if (stalls > 0 && insns > 0)
		r->extra = made("stalled cycles per insn", stalls / insns, 2);
}

static void add_rate(double v, double cpu_ns, struct stat_row *r)
{
	double per_s = cpu_ns > 0 ? v / cpu_ns * 1e9 : 0;
	static const struct { double from; const char *unit; } units[] = {
		{ 1e9, "G/sec" }, { 1e6, "M/sec" }, { 1e3, "K/sec" },
	};

	r->also = made("/sec", per_s, 3);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (per_s >= units[i].from) {
			r->also = made(units[i].unit, per_s / units[i].from, 3);
			break;
		}
}

void stat_add_metrics(const struct stat_numbers *n, size_t event, size_t slot, struct stat_row *r)
{
	const struct event *e = n->l->events.v[event];
	double v = value_of(n, event, slot);

	if (stat_is_clock(e)) {
		if (n->wall_ns)
			r->also = made("CPUs utilized", v / (double)n->wall_ns, 3);
		return;
	}
	if (e->attr.type == PERF_TYPE_HARDWARE && (e->attr.config & 0xffffffff) ==
	    PERF_COUNT_HW_INSTRUCTIONS)
		add_stalls_per_insn(n, e, slot, v, r);
	if (add_ratio(n, e, slot, v, r))
		return;
	if (!has_clock(n, e) || e->unit)
		return;
	if (e->attr.type == PERF_TYPE_HARDWARE && (e->attr.config & 0xffffffff) ==
	    PERF_COUNT_HW_CPU_CYCLES) {
		double ns = cpu_time(n, e, slot);

		if (ns > 0)
			r->also = made("GHz", v / ns, 3);
		return;
	}
	add_rate(v, cpu_time(n, e, slot), r);
}

static int by_value(const void *a, const void *b)
{
	const struct stat_row *x = a, *y = b;

	if ((x->state == STAT_COUNTED) != (y->state == STAT_COUNTED))
		return x->state == STAT_COUNTED ? -1 : 1;
	if (x->state == STAT_COUNTED && x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

void stat_sort_by_value(struct stat_row *rows, size_t n)
{
	if (n)
		qsort(rows, n, sizeof(*rows), by_value);
}
