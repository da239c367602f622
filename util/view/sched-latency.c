// SPDX-License-Identifier: GPL-2.0-or-later
/* The latency table in upstream perf's columns; percentiles and the histogram are additions
 * behind options. */
#include "util/view/draw.h"
#include "util/view/ns-hist-text.h"
#include "util/view/sched-text.h"

static const char rule[] =
	" ------------------------------------------------------------"
	"-----------------------------------------------------"
	"--------------------------";

static u64 value(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->u;
}

static void add_name(struct str *out, const struct table *t, const struct table_row *row)
{
	const u64 n_tasks = value(t, row, "tasks");
	size_t from = out->len, n;

	str_add(out, "  ");
	str_add_safe(out, table_cell(t, row, "comm")->text);
	if (n_tasks > 1)
		str_addf(out, ":(%llu) ", (unsigned long long)n_tasks);
	else
		str_addf(out, ":%lld ", (long long)table_cell(t, row, "tid")->s);
	n = out->len - from;
	if (n < 24)
		str_addchn(out, ' ', 24 - n);
}

static double ms(u64 ns)
{
	return (double)ns / 1e6;
}

static void add_seconds(struct str *out, u64 ns)
{
	struct str time = STR_INIT;

	str_add_time(&time, ns, 6);
	str_addf(out, "%12s", str_cstr(&time));
	str_release(&time);
}

static void add_row(struct str *out, const struct table *t, const struct table_row *row,
		    bool percentiles)
{
	add_name(out, t, row);
	str_addf(out, "|%11.3f ms |%9llu | avg:%8.3f ms | max:%8.3f ms | max start: ",
		 ms(value(t, row, "runtime_ns")), (unsigned long long)value(t, row, "count"),
		 ms(value(t, row, "avg_delay_ns")), ms(value(t, row, "max_delay_ns")));
	add_seconds(out, value(t, row, "max_start_ns"));
	str_add(out, " s | max end: ");
	add_seconds(out, value(t, row, "max_end_ns"));
	str_add(out, " s");
	if (percentiles)
		str_addf(out, " | p50:%8.3f ms | p95:%8.3f ms | p99:%8.3f ms",
			 ms(value(t, row, "p50_ns")), ms(value(t, row, "p95_ns")),
			 ms(value(t, row, "p99_ns")));
	str_addch(out, '\n');
}

void sched_add_lost(struct str *out, const struct table *facts)
{
	const struct table_row *f = facts->rows.v;
	const u64 lost = value(facts, f, "lost"), n_records = value(facts, f, "records");

	if (value(facts, f, "lost_records"))
		str_addf(out, "  INFO: %.3f%% lost events (%llu out of %llu, in %llu chunks)\n",
			 100.0 * (double)lost / (double)MAX(n_records, (u64)1),
			 (unsigned long long)lost, (unsigned long long)n_records,
			 (unsigned long long)value(facts, f, "lost_records"));
}

static void add_facts(struct str *out, const struct table *facts)
{
	const struct table_row *f = facts->rows.v;
	const u64 gaps = value(facts, f, "gaps"), switches = value(facts, f, "switches"),
		bad = value(facts, f, "bad");

	if (gaps)
		str_addf(out, "  INFO: %.3f%% of the context switches do not follow the one "
			      "before: events are missing (%llu out of %llu)\n",
			 100.0 * (double)gaps / (double)MAX(switches, (u64)1),
			 (unsigned long long)gaps, (unsigned long long)switches);
	sched_add_lost(out, facts);
	if (bad)
		str_addf(out, "  INFO: %llu events without the needed fields were skipped\n",
			 (unsigned long long)bad);
}

static void add_totals(struct str *out, const struct table *t)
{
	u64 run = 0, delays = 0;

	for vec_each(row, &t->rows) {
		run += value(t, row, "runtime_ns");
		delays += value(t, row, "count");
	}
	str_addn(out, rule, 114);
	str_addf(out, "\n  TOTAL:                |%11.3f ms |%9llu |\n", ms(run),
		 (unsigned long long)delays);
	str_addn(out, rule, 52);
	str_addch(out, '\n');
}

static void add_text(struct str *out, const struct latency_tables *t, const struct latency_view *v)
{
	str_addf(out, "\n%s\n  Task                  |   Runtime ms  |  Count   | Avg delay ms    "
		      "| Max delay ms    | Max delay start           | Max delay end          |%s\n"
		      "%s\n", rule,
		 v->percentiles ? "   p50 delay ms  |   p95 delay ms  |   p99 delay ms  |" : "",
		 rule);
	for vec_each(row, &t->tasks.rows)
		add_row(out, &t->tasks, row, v->percentiles);
	add_totals(out, &t->tasks);
	add_facts(out, &t->facts);
	str_addch(out, '\n');
	if (v->histogram)
		ns_hist_add_text(out, "Delays of all tasks", &t->histogram);
}

void latency_show(struct str *out, const struct latency_tables *t, const struct latency_view *v)
{
	struct draw d;

	if (!table_output_data(&v->output)) {
		add_text(out, t, v);
		return;
	}
	draw_begin(&d, &(struct draw_opts){ .output = v->output }, out);
	draw_facts(&d, &t->facts);
	draw_table(&d, &t->tasks);
	draw_table(&d, &t->histogram);
	draw_table(&d, &t->cpus);
	draw_table(&d, &t->timelines);
	draw_end(&d);
}
