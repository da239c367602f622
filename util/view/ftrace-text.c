// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/ftrace-text.h"

enum { BAR_WIDTH = 46 };

void ftrace_add_profile(struct str *out, const struct table *functions)
{
	str_add(out, "# Total (us)   Avg (us)   Max (us)      Count   Function\n");
	for vec_each(row, &functions->rows) {
		const struct cell *c = row->cells;

		str_addf(out, "%12.3f %10.3f %10.3f %10llu   ", (double)c[1].u / 1000,
			 (double)c[2].u / 1000, (double)c[3].u / 1000, (unsigned long long)c[4].u);
		str_add_safe(out, c[0].text);
		str_addch(out, '\n');
	}
}

/* A time in the largest unit of which it has a whole number, by powers of 1024 as of two. */
static u64 scaled(u64 v, u64 unit_ns, const char **unit)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t i = unit_ns == 1 ? 0 : 1;

	while (v >= 1024 && i + 1 < ARRAY_SIZE(units)) {
		v /= 1024;
		i++;
	}
	*unit = units[i];
	return v;
}

static void add_bucket(struct str *out, const struct latency_buckets *b, int i)
{
	const char *unit = b->unit_ns == 1 ? "ns" : "us";
	u64 from, to;

	ftrace_bucket(b, i, &from, &to);
	if (!b->range) {
		const u64 step = from;

		from = scaled(from, b->unit_ns, &unit);
		if (!step)
			to = 1;
		else if (to)
			to = from * 2;
	}
	if (to)
		str_addf(out, "  %4llu - %-4llu %2s", (unsigned long long)from,
			 (unsigned long long)to, unit);
	else
		str_addf(out, "  %4llu - %-4s %2s", (unsigned long long)from, "...", unit);
}

void ftrace_add_histogram(struct str *out, const struct latency_sums *t,
			  const struct latency_buckets *b, bool hide_empty)
{
	str_addf(out, "# %14s | %10s | %-*s |\n", "  DURATION    ", "COUNT", BAR_WIDTH, "GRAPH");
	for (int i = 0; i < LATENCY_BUCKETS; i++) {
		const size_t bar = t->n ? (size_t)(t->counts[i] * BAR_WIDTH / t->n) : 0;
		u64 from, to;

		if (!ftrace_bucket(b, i, &from, &to) || (hide_empty && !t->counts[i]) ||
		    (b->range && !i && !b->min))
			continue;
		add_bucket(out, b, i);
		str_addf(out, " | %10llu | ", (unsigned long long)t->counts[i]);
		str_addchn(out, '#', bar);
		str_addchn(out, ' ', BAR_WIDTH - bar);
		str_add(out, " |\n");
	}
}

void ftrace_add_statistics(struct str *out, const struct latency_sums *t, u64 unit_ns)
{
	const struct { const char *name; u64 ns; } rows[] = {
		{ "total time", t->total_ns }, { "avg time", t->n ? t->total_ns / t->n : 0 },
		{ "max time", t->max_ns }, { "min time", t->min_ns } };

	str_addf(out, "\n# statistics  (in %s)\n", unit_ns == 1 ? "nsec" : "usec");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		str_addf(out, "  %10s: %20llu\n", rows[i].name,
			 (unsigned long long)(rows[i].ns / unit_ns));
	str_addf(out, "  %10s: %20llu\n", "count", (unsigned long long)t->n);
}
