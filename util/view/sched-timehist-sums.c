// SPDX-License-Identifier: GPL-2.0-or-later
/* The sums of timehist in upstream perf's columns. */
#include "util/view/digits.h"
#include "util/view/sched-text.h"

static u64 value(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->u;
}

/* "%*.3f" of ms, not rounded up, as in the lines. */
static void add_ms_at(struct str *out, u64 ns, int width)
{
	char *p = str_room(out, 64);

	str_took(out, put_ms(p, ns, width));
}

static void add_counts(struct str *out, const u64 *ns, const int *widths, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_ms_at(out, ns[i], widths[i]);
}

static void add_name(struct str *out, const struct table *t, const struct table_row *row)
{
	const char *comm = table_cell(t, row, "task.comm")->text;
	const int tid = (int)value(t, row, "task.tid"), pid = (int)value(t, row, "task.pid");

	if (!*comm)
		str_addf(out, ":%d", tid);
	else
		str_add_safe(out, comm);
	str_addf(out, pid != tid ? "[%d/%d]" : "[%d]", tid, pid);
}

static void add_row(struct str *o, const struct table *t, const struct table_row *row, bool waits)
{
	const struct cell *parent = table_cell(t, row, "parent");
	struct str name = STR_INIT;

	add_name(&name, t, row);
	str_addf(o, "%30s%8lld%11llu", str_cstr(&name),
		 parent->kind == CELL_NONE ? -1 : (long long)parent->s,
		 (unsigned long long)value(t, row, "count"));
	str_release(&name);
	if (waits) {
		add_counts(o, (u64[]){ value(t, row, "sum_ns"), value(t, row, "slept_ns"),
				       value(t, row, "blocked_ns"), value(t, row, "preempted_ns"),
				       value(t, row, "delay_ns") },
			   (int[]){ 13, 11, 12, 12, 12 }, 5);
		str_add(o, " \n");
		return;
	}
	add_counts(o, (u64[]){ value(t, row, "sum_ns"), value(t, row, "min_ns"),
			       u64_of(table_cell(t, row, "avg_ns")->d), value(t, row, "max_ns") },
		   (int[]){ 13, 11, 12, 12 }, 4);
	str_addf(o, "   %5.2f%8llu\n", table_cell(t, row, "stddev_pct")->d,
		 (unsigned long long)value(t, row, "migrations"));
}

static void add_head(struct str *o, bool idle, bool waits)
{
	if (idle)
		str_add(o, "\nIdle-time summary\n"
			   "                          comm  parent  sched-out    idle-time   "
			   "min-idle    avg-idle    max-idle  stddev  "
			   "migrations\n");
	else if (waits)
		str_add(o, "\nWait-time summary\n"
			   "                          comm  parent   sched-in     run-time      "
			   "sleep      iowait     preempt       "
			   "delay\n");
	else
		str_add(o, "\nRuntime summary\n"
			   "                          comm  parent   sched-in     run-time    "
			   "min-run     avg-run     max-run  stddev  "
			   "migrations\n");
	str_addf(o, "%42s(count)       (msec)     (msec)      (msec)      (msec)       %s\n", "",
		 waits ? "(msec)" : "%");
	str_addchn(o, '-', 117);
	str_addch(o, '\n');
}

static void add_chains(struct str *out, const struct timehist_tables *sums)
{
	const struct table *chains = &sums->chains, *idle = &sums->idle;
	size_t i = 0;

	str_add(out, "\nIdle stats by callchain:\n");
	for vec_each(cpu, &idle->rows) {
		const u64 n = value(idle, cpu, "cpu");

		str_addf(out, "  CPU %2llu: ", (unsigned long long)n);
		add_ms_at(out, value(idle, cpu, "count") ? value(idle, cpu, "idle_ns") : 0, 9);
		str_add(out, "  msec\n  Idle time (msec)     Count  Callchains\n  "
			     "----------------  --------  "
			     "--------------------------------------------------\n");
		for (; i < chains->rows.n && value(chains, &chains->rows.v[i], "cpu") == n; i++) {
			const struct table_row *row = &chains->rows.v[i];

			str_add(out, "  ");
			add_ms_at(out, value(chains, row, "idle_ns"), 16);
			str_addf(out, "  %8llu  %s\n",
				 (unsigned long long)value(chains, row, "count"),
				 table_cell(chains, row, "chain")->text);
		}
		str_addch(out, '\n');
	}
}

static void add_idle(struct str *out, const struct table *t)
{
	str_add(out, "\nIdle stats:\n");
	for vec_each(row, &t->rows) {
		if (row->hidden)
			continue;
		str_addf(out, "    CPU %2llu idle ", (unsigned long long)value(t, row, "cpu"));
		if (value(t, row, "entire")) {
			str_add(out, "entire time window\n");
			continue;
		}
		str_add(out, "for ");
		add_ms_at(out, value(t, row, "idle_ns"), 10);
		str_addf(out, "  msec  (%6.2f%%)\n", table_cell(t, row, "idle_pct")->d);
	}
}

static void add_totals(struct str *o, const struct table *t)
{
	const struct table_row *row = t->rows.v;

	str_addf(o, "\n    Total number of unique tasks: %llu\n"
		    "Total number of context switches: %llu\n",
		 (unsigned long long)value(t, row, "tasks"),
		 (unsigned long long)value(t, row, "switches"));
	str_add(o, "           Total run time (msec): ");
	add_ms_at(o, value(t, row, "run_ns"), 6);
	str_add(o, " \n    Total scheduling time (msec): ");
	add_ms_at(o, value(t, row, "wall_ns"), 6);
	str_addf(o, "  (x %llu)\n", (unsigned long long)value(t, row, "cpus"));
	if (value(t, row, "gaps"))
		str_addf(o, "  Switches that do not follow the one before (events are missing): "
			    "%llu\n", (unsigned long long)value(t, row, "gaps"));
}

void timehist_add_sums(struct str *out, const struct timehist_tables *sums,
		       const struct timehist_opts *o, bool state)
{
	const bool waits = state && !o->idle_hist;

	add_head(out, o->idle_hist, waits);
	for vec_each(row, &sums->tasks.rows)
		add_row(out, &sums->tasks, row, waits);
	if (!sums->tasks.rows.n)
		str_add(out, "<no still running tasks>\n");
	/* Some tasks alone leave nothing to say of the CPUs. */
	if (sums->some)
		return;
	add_idle(out, &sums->idle);
	if (o->idle_hist && o->chains)
		add_chains(out, sums);
	add_totals(out, &sums->facts);
}
