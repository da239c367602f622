// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/ns-hist-text.h"

static u64 value(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->u;
}

static void add_duration(struct str *out, u64 ns)
{
	if (ns < 1000)
		str_addf(out, "%llu ns", (unsigned long long)ns);
	else if (ns < 1000000)
		str_addf(out, "%.0f us", (double)ns / 1e3);
	else
		str_addf(out, "%.0f ms", (double)ns / 1e6);
}

static void add_step(struct str *out, const struct table *t, const struct table_row *row,
		     u64 total, u64 most)
{
	const u64 n = value(t, row, "count");
	struct str range = STR_INIT;

	add_duration(&range, value(t, row, "from_ns"));
	str_add(&range, " - ");
	add_duration(&range, value(t, row, "to_ns"));
	str_addf(out, "  %20s |%9llu |%6.2f%% |", str_cstr(&range), (unsigned long long)n,
		 100.0 * (double)n / (double)total);
	str_addchn(out, '#', (size_t)(40 * n / most));
	str_addch(out, '\n');
	str_release(&range);
}

void ns_hist_add_text(struct str *out, const char *title, const struct table *t)
{
	u64 total = 0, most = 0;

	for vec_each(row, &t->rows) {
		total += value(t, row, "count");
		most = MAX(most, value(t, row, "count"));
	}
	if (!total)
		return;
	str_addf(out, "\n  %s:\n", title);
	for vec_each(row, &t->rows)
		add_step(out, t, row, total, most);
}
