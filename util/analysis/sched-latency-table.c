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
		*cell++ = cell_ns(latency_percentile_ns(r, .50));
		*cell++ = cell_ns(latency_percentile_ns(r, .95));
		*cell++ = cell_ns(latency_percentile_ns(r, .99));
	}
}

enum { STEPS = LATENCY_BUCKETS / 8 };

/* Delays of all tasks by powers of two, from the first step that has any to the last one. Empty
 * ones between are hidden: only a picture needs them. */
static void histogram_rows(const struct latency_row *rows, size_t n, struct table *out)
{
	u64 counts[STEPS] = { 0 };
	int from = STEPS, to = 0;

	out->key = "histogram";
	table_add_column(out, "from_ns", "From");
	table_add_column(out, "to_ns", "To");
	table_add_column(out, "count", "Count");
	for (size_t i = 0; i < n; i++)
		for (int b = 0; rows[i].hist && b < LATENCY_BUCKETS; b++)
			counts[b / 8] += rows[i].hist->n[b];
	for (int i = 0; i < STEPS; i++) {
		from = counts[i] ? MIN(from, i) : from;
		to = counts[i] ? i + 1 : to;
	}
	for (int i = from; i < to; i++) {
		struct table_row *row = table_add_row(out);

		row->hidden = !counts[i];
		row->cells[0] = cell_ns(latency_bucket_ns(i * 8));
		row->cells[1] = cell_ns(latency_bucket_ns((i + 1) * 8));
		row->cells[2] = cell_count(counts[i]);
	}
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
