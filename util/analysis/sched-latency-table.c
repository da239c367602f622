// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched-latency.h"
#include "util/analysis/sched-table.h"

static void task_rows(const struct latency_row *rows, size_t n, struct table *out)
{
	static const char *const keys[] = {
		"comm", "tid", "tasks", "runtime_ns", "count", "delay_ns", "avg_delay_ns",
		"max_delay_ns", "max_start_ns", "max_end_ns", "p50_ns", "p95_ns", "p99_ns",
	};

	out->key = "tasks";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(out, keys[i], keys[i]);
	for (size_t i = 0; i < n; i++) {
		const struct latency_row *r = &rows[i];
		struct cell *cell = table_add_row(out)->cells;

		*cell++ = cell_text(r->comm);
		*cell++ = cell_int((s32)r->tid);
		*cell++ = cell_count(r->n_tasks);
		*cell++ = cell_ns(r->run_ns);
		*cell++ = cell_count(r->n_delays);
		*cell++ = cell_ns(r->delay_ns);
		*cell++ = cell_ns(r->n_delays ? r->delay_ns / r->n_delays : 0);
		*cell++ = cell_ns(r->max_ns);
		*cell++ = cell_ns(r->max_start_ns);
		*cell++ = cell_ns(r->max_end_ns);
		*cell++ = cell_ns(ns_hist_percentile_ns(r->hist, .50, r->max_ns));
		*cell++ = cell_ns(ns_hist_percentile_ns(r->hist, .95, r->max_ns));
		*cell++ = cell_ns(ns_hist_percentile_ns(r->hist, .99, r->max_ns));
	}
}

static void histogram_rows(const struct latency_row *rows, size_t n, struct table *out)
{
	struct ns_hist all = { 0 };

	for (size_t i = 0; i < n; i++)
		if (rows[i].hist)
			ns_hist_merge(&all, rows[i].hist);
	ns_hist_table(&all, out);
}

void latency_tables(struct latency *l, const struct sched *s, u64 n_records,
		    struct latency_tables *out)
{
	const struct latency_row *rows;
	const size_t n = latency_rows(l, &rows);

	sched_facts(s, n_records, &out->facts);
	task_rows(rows, n, &out->tasks);
	histogram_rows(rows, n, &out->histogram);
	sched_cpu_rows(s, &out->cpus);
	sched_timeline_rows(s, &out->timelines);
}

void latency_tables_release(struct latency_tables *t)
{
	table_release(&t->facts);
	table_release(&t->tasks);
	table_release(&t->histogram);
	table_release(&t->cpus);
	table_release(&t->timelines);
}
