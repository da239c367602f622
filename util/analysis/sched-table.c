// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched-table.h"

void sched_facts(const struct sched *s, u64 n_records, struct table *out)
{
	const struct sched_stats *st = sched_get_stats(s);
	const struct { const char *key; u64 n; } facts[] = {
		{ "switches", st->n_switches },
		{ "gaps", st->n_gaps },
		{ "lost", st->n_lost },
		{ "lost_records", st->n_lost_records },
		{ "bad", st->n_bad },
		{ "records", n_records },
	};
	struct table_row *row;

	out->key = "facts";
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		table_add_column(out, facts[i].key, facts[i].key);
	row = table_add_row(out);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		row->cells[i] = cell_count(facts[i].n);
}

void sched_cpu_rows(const struct sched *s, struct table *out)
{
	const struct sched_stats *st = sched_get_stats(s);
	struct sched_cpu *const *cpus;
	const size_t n = sched_cpus(s, &cpus);

	out->key = "cpus";
	table_add_column(out, "cpu", "CPU");
	table_add_column(out, "seen_ns", "Seen");
	table_add_column(out, "running_ns", "Running");
	table_add_column(out, "idle_ns", "Idle");
	table_add_column(out, "unknown_ns", "Unknown");
	for (size_t i = 0; i < n; i++) {
		struct cell *cell;

		if (!cpus[i])
			continue;
		cell = table_add_row(out)->cells;
		*cell++ = cell_int((s64)i);
		*cell++ = cell_ns(st->last_ns - cpus[i]->first_ns);
		*cell++ = cell_ns(cpus[i]->run_ns);
		*cell++ = cell_ns(cpus[i]->idle_ns);
		*cell++ = cell_ns(cpus[i]->unknown_ns);
	}
}

void sched_timeline_rows(const struct sched *s, struct table *out)
{
	static const char *const states[SCHED_NR_STATES] =
		{ "unknown_ns", "running_ns", "runnable_ns", "preempted_ns", "sleeping_ns",
		  "blocked_ns", "iowait_ns", "dead_ns" };
	const struct sched_stats *st = sched_get_stats(s);
	struct sched_task *const *tasks;
	const size_t n = sched_tasks(s, &tasks);

	out->key = "timelines";
	table_add_column(out, "comm", "Command");
	table_add_column(out, "tid", "Tid");
	table_add_column(out, "seen_ns", "Seen");
	for (int k = 0; k < SCHED_NR_STATES; k++)
		table_add_column(out, states[k], states[k]);
	table_add_column(out, "runs", "Runs");
	for (size_t i = 0; i < n; i++) {
		struct cell *cell;

		if (tasks[i]->idle || !tasks[i]->first_ns)
			continue;
		cell = table_add_row(out)->cells;
		*cell++ = cell_text(tasks[i]->comm);
		*cell++ = cell_int((s32)tasks[i]->tid);
		*cell++ = cell_ns(st->last_ns - tasks[i]->first_ns);
		for (int k = 0; k < SCHED_NR_STATES; k++)
			*cell++ = cell_ns(tasks[i]->state_ns[k]);
		*cell++ = cell_count(tasks[i]->n_runs);
	}
}

void sched_map_columns(struct table *t)
{
	static const char *const keys[] = { "time_ns", "cpu", "tid", "pid", "comm", "name" };

	t->key = "map";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
}

void sched_map_row(struct table *t, const struct sched_switch *sw, const char *name)
{
	struct cell *cell = table_add_row(t)->cells;

	*cell++ = cell_ns(sw->t_ns);
	*cell++ = cell_int(sw->cpu->cpu);
	*cell++ = cell_int((s32)sw->next->tid);
	*cell++ = cell_int((s32)sw->next->pid);
	*cell++ = cell_text(sw->next->comm);
	*cell++ = cell_text(table_text(t, name));
}
