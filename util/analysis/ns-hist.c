// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/ns-hist.h"

enum { DOUBLINGS = NS_HIST_STEPS / 8 };

void ns_hist_add(struct ns_hist *h, u64 ns) { h->n[ns_hist_step(ns)]++; }

void ns_hist_merge(struct ns_hist *to, const struct ns_hist *from)
{
	for (int i = 0; i < NS_HIST_STEPS; i++)
		to->n[i] += from->n[i];
}

/* The lowest time of the step. */
static u64 step_ns(int step)
{
	if (step < 8)
		return (u64)step;
	return (8ULL + (u64)(step & 7)) << (step / 8 - 1);
}

u64 ns_hist_percentile_ns(const struct ns_hist *h, double share, u64 max_ns)
{
	u64 total = 0, seen = 0;

	for (int i = 0; h && i < NS_HIST_STEPS; i++)
		total += h->n[i];
	for (int i = 0; total && i < NS_HIST_STEPS; i++) {
		seen += h->n[i];
		if ((double)seen >= share * (double)total)
			return MIN(step_ns(i + 1) - 1, max_ns);
	}
	return 0;
}

const struct ns_percentile ns_percentiles[NS_PERCENTILES] = {
	{ "p50_ns", "50%", .50 }, { "p95_ns", "95%", .95 }, { "p99_ns", "99%", .99 },
};

void ns_hist_add_columns(struct table *t)
{
	for (size_t i = 0; i < NS_PERCENTILES; i++)
		table_add_column(t, ns_percentiles[i].key, ns_percentiles[i].title);
}

struct cell *ns_hist_add_cells(const struct ns_hist *h, u64 max_ns, struct cell *cell)
{
	for (size_t i = 0; i < NS_PERCENTILES; i++)
		*cell++ = cell_ns(ns_hist_percentile_ns(h, ns_percentiles[i].share, max_ns));
	return cell;
}

void ns_hist_table(const struct ns_hist *h, struct table *out)
{
	u64 counts[DOUBLINGS] = { 0 };
	int from = DOUBLINGS, to = 0;

	out->key = "histogram";
	table_add_column(out, "from_ns", "From");
	table_add_column(out, "to_ns", "To");
	table_add_column(out, "count", "Count");
	for (int b = 0; b < NS_HIST_STEPS; b++)
		counts[b / 8] += h->n[b];
	for (int i = 0; i < DOUBLINGS; i++) {
		from = counts[i] ? MIN(from, i) : from;
		to = counts[i] ? i + 1 : to;
	}
	for (int i = from; i < to; i++) {
		struct table_row *row = table_add_row(out);

		row->hidden = !counts[i];
		row->cells[0] = cell_ns(step_ns(i * 8));
		row->cells[1] = cell_ns(step_ns((i + 1) * 8));
		row->cells[2] = cell_count(counts[i]);
	}
}
