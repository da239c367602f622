// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/kwork-text.h"

#define LABEL_BYTES 29		/* longer ones are cut */

static void add_rule(struct str *out)
{
	str_addch(out, ' ');
	str_addchn(out, '-', 128);
	str_addch(out, '\n');
}

static double ms(u64 ns)
{
	return (double)ns / 1e6;
}

static u64 value(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->u;
}

static void add_label(struct str *out, const char *label)
{
	const size_t from = out->len;

	str_add_safen(out, label, strnlen(label, LABEL_BYTES));
	if (out->len - from < LABEL_BYTES + 1)
		str_addchn(out, ' ', LABEL_BYTES + 1 - (out->len - from));
}

static void add_seconds(struct str *out, u64 ns)
{
	struct str time = STR_INIT;

	str_add_time(&time, ns, 6);
	str_addf(out, "%18s s |", str_cstr(&time));
	str_release(&time);
}

static void add_row(struct str *out, const struct table *t, const struct table_row *row,
		    bool latency)
{
	str_add(out, "  ");
	add_label(out, table_cell(t, row, "label")->text);
	str_addf(out, " | %04lld |%11.3f ms |%10llu |%11.3f ms |",
		 (long long)table_cell(t, row, "cpu")->s,
		 ms(value(t, row, latency ? "avg_delay_ns" : "runtime_ns")),
		 (unsigned long long)value(t, row, "count"), ms(value(t, row, "max_ns")));
	add_seconds(out, value(t, row, "max_start_ns"));
	add_seconds(out, value(t, row, "max_end_ns"));
	str_addch(out, '\n');
}

static void add_summary(struct str *out, const struct table *t, const struct kwork_stats *st)
{
	const u64 span = st->last_ns > st->first_ns ? st->last_ns - st->first_ns : 0;
	u64 count = 0, runtime = 0;

	for vec_each(row, &t->rows) {
		count += value(t, row, "count");
		runtime += value(t, row, "runtime_ns");
	}
	str_addf(out, "  Total count            : %9llu\n", (unsigned long long)count);
	str_addf(out, "  Total runtime   (msec) : %9.3f (%.3f%% load average)\n", ms(runtime),
		 span ? 100. * (double)runtime / (double)span : 0.);
	str_addf(out, "  Total time span (msec) : %9.3f\n", ms(span));
	add_rule(out);
}

static void add_skipped(struct str *out, const struct kwork_stats *st, u64 n_records)
{
	const u64 n = st->n_raised + st->n_entered + st->n_left;

	if (n)
		str_addf(out, "  INFO: %.3f%% skipped events (%llu including %llu raise, %llu "
			      "entry, %llu exit)\n",
			 n_records ? 100. * (double)n / (double)n_records : 0.,
			 (unsigned long long)n, (unsigned long long)st->n_raised,
			 (unsigned long long)st->n_entered, (unsigned long long)st->n_left);
}

void kwork_add_table(struct str *out, const struct table *t, const struct kwork_stats *st,
		     const struct kwork_view *v)
{
	str_add(out, "\n  Kwork Name                     | Cpu  ");
	str_add(out, v->latency ?
		"| Avg delay     | Count     | Max delay     | Max delay start     "
		"| Max delay end       |\n" :
		"| Total Runtime | Count     | Max runtime   | Max runtime start   "
		"| Max runtime end     |\n");
	add_rule(out);
	for vec_each(row, &t->rows)
		add_row(out, t, row, v->latency);
	add_rule(out);
	if (v->summary && !v->latency)
		add_summary(out, t, st);
	add_skipped(out, st, v->n_records);
	str_addch(out, '\n');
}

void kwork_add_runs_head(struct str *out)
{
	str_add(out, " Runtime start      Runtime end        Cpu     "
		     "Kwork name                      Runtime     Delaytime \n"
		     "                                               "
		     "(TYPE)NAME:NUM                  (msec)      (msec)    \n"
		     " -----------------  -----------------  ------  "
		     "------------------------------  ----------  ----------\n");
}

void kwork_add_run(struct str *out, const struct kwork_run *r)
{
	struct str start = STR_INIT, end = STR_INIT;

	str_add_time(&start, r->start_ns, 6);
	str_add_time(&end, r->end_ns, 6);
	str_addf(out, " %17s  %17s  [%04u]  ", str_cstr(&start), str_cstr(&end), r->cpu);
	add_label(out, r->name);
	str_addf(out, "  %10.3f  ", ms(r->end_ns > r->start_ns ? r->end_ns - r->start_ns : 0));
	if (r->delay_ns < 0)
		str_addf(out, "%10s \n", "");
	else
		str_addf(out, "%10.3f \n", ms((u64)r->delay_ns));
	str_release(&start);
	str_release(&end);
}

/* --- top */

static double share(u64 part, u64 whole)
{
	return whole ? 100. * (double)part / (double)whole : 0.;
}

enum { BAR = 30 };

static void add_bar(struct str *out, const struct table *t, const struct table_row *row)
{
	const u64 total = value(t, row, "total_ns"),
		others = value(t, row, "idle_ns") + value(t, row, "irq_ns") +
		value(t, row, "softirq_ns");
	/* in hundredths of a percent, as the rows are */
	const u64 busy = total > others ? (total - others) * 10000 / total : 0;
	const size_t n = (size_t)(busy * BAR / 10000);

	str_addf(out, "%%Cpu%-4lld[", (long long)table_cell(t, row, "cpu")->s);
	str_addchn(out, '|', n);
	str_addchn(out, ' ', BAR - MIN(n, (size_t)BAR));
	str_addf(out, " %6.2f%%]\n", (double)busy / 100);
}

void kwork_add_top(struct str *out, const struct kwork_top_tables *tables)
{
	const struct table *cpus = &tables->cpus, *t = &tables->tasks;
	u64 total = 0, idle = 0, irq = 0, softirq = 0;

	for vec_each(row, &cpus->rows) {
		total += value(cpus, row, "total_ns");
		idle += value(cpus, row, "idle_ns");
		irq += value(cpus, row, "irq_ns");
		softirq += value(cpus, row, "softirq_ns");
	}
	str_addf(out, "\nTotal  : %10.3f ms, %zu cpus\n", ms(total), cpus->rows.n);
	str_addf(out, "%%Cpu(s): %6.2f%% id, %6.2f%% hi, %6.2f%% si\n", share(idle, total),
		 share(irq, total), share(softirq, total));
	for vec_each(row, &cpus->rows)
		add_bar(out, cpus, row);
	str_add(out, "\n      PID    %CPU           RUNTIME  COMMAND         \n  ");
	str_addchn(out, '-', 52);
	str_addch(out, '\n');
	for vec_each(row, &t->rows) {
		struct str name = STR_INIT;
		const char *comm = table_cell(t, row, "comm")->text;

		str_add_safe(&name, comm ? comm : "");
		str_addf(out, "%9lld %7.2f %14.3f ms  %-16s\n",
			 (long long)table_cell(t, row, "tid")->s,
			 table_cell(t, row, "percent")->d, ms(value(t, row, "runtime_ns")),
			 str_cstr(&name));
		str_release(&name);
	}
	str_addch(out, '\n');
}
