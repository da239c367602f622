// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/sched-chain.h"
#include "util/analysis/sched-timehist-priv.h"

enum event_column {
	EV_EVENT, EV_TIME, EV_CPU, EV_TASK, EV_PRIO = EV_TASK + 3, EV_START_PRIO, EV_STATE,
	EV_KNOWN, EV_WAIT, EV_DELAY, EV_RUN, EV_PREMIG, EV_NEXT, EV_CHAIN = EV_NEXT + 3, EV_BY,
	EV_FROM = EV_BY + 3, EV_TO, EV_COUNT, EV_COLUMNS,
};

void timehist_event_columns(struct table *t)
{
	static const char *const keys[EV_COLUMNS] = {
		[EV_EVENT] = "event", [EV_TIME] = "time_ns", [EV_CPU] = "cpu",
		[EV_TASK] = "task.comm", "task.tid", "task.pid", [EV_PRIO] = "prio",
		[EV_START_PRIO] = "start_prio", [EV_STATE] = "state", [EV_KNOWN] = "known",
		[EV_WAIT] = "wait_ns", [EV_DELAY] = "delay_ns", [EV_RUN] = "run_ns",
		[EV_PREMIG] = "pre_migration_ns", [EV_NEXT] = "next.comm", "next.tid", "next.pid",
		[EV_CHAIN] = "chain", [EV_BY] = "by.comm", "by.tid", "by.pid",
		[EV_FROM] = "from_cpu", [EV_TO] = "to_cpu", [EV_COUNT] = "count",
	};

	t->key = "events";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
}

/* Three columns. */
static void task_cells(struct cell *cell, const struct sched_task *task)
{
	cell[0] = cell_text(task->idle ? "<idle>" : task->comm);
	cell[1] = cell_int((s32)task->tid);
	cell[2] = cell_int((s32)task->pid);
}

static struct cell *event_row(struct table *t, const char *event, u64 t_ns, int cpu)
{
	struct cell *cell = table_add_row(t)->cells;

	for (int i = EV_TASK; i < EV_COLUMNS; i++)
		cell[i] = cell_absent();
	cell[EV_EVENT] = cell_text(event);
	cell[EV_TIME] = cell_ns(t_ns);
	cell[EV_CPU] = cpu < 0 ? (struct cell){ .kind = CELL_NONE } : cell_int(cpu);
	return cell;
}

void timehist_run_row(struct table *t, const struct sched_switch *sw,
		      const struct timehist_opts *o)
{
	const char state[3] = { sw->prev->idle ? 'I' : sw->state, sw->preempted ? '+' : '\0' };
	struct cell *cell = event_row(t, "run", sw->t_ns, sw->cpu->cpu);

	task_cells(&cell[EV_TASK], sw->prev);
	cell[EV_PRIO] = cell_int(sw->prev->prio);
	cell[EV_START_PRIO] = cell_int(sw->prev_in_prio);
	cell[EV_STATE] = cell_text(table_text(t, state));
	cell[EV_KNOWN] = cell_bool(sw->run_known);
	cell[EV_WAIT] = cell_ns(sw->wait_ns);
	cell[EV_DELAY] = cell_ns(sw->delay_ns);
	cell[EV_RUN] = cell_ns(sw->run_ns);
	cell[EV_PREMIG] = cell_ns(sw->premig_ns);
	task_cells(&cell[EV_NEXT], sw->next);
	if (o->chains && !sw->prev->idle) {
		struct str chain = STR_INIT;

		sched_add_chain(&chain, sw->item, o->max_stack);
		cell[EV_CHAIN] = cell_text(table_text(t, str_cstr(&chain)));
		str_release(&chain);
	}
}

void timehist_wake_row(struct table *t, const struct sched_wake *w)
{
	struct cell *cell = event_row(t, "wakeup", w->t_ns, w->cpu);

	task_cells(&cell[EV_TASK], w->task);
	task_cells(&cell[EV_BY], w->waker);
}

void timehist_move_row(struct table *t, const struct sched_move *m)
{
	struct cell *cell = event_row(t, "migration", m->t_ns, m->cpu);

	task_cells(&cell[EV_TASK], m->task);
	task_cells(&cell[EV_BY], m->waker);
	cell[EV_FROM] = cell_int(m->from_cpu);
	cell[EV_TO] = cell_int(m->to_cpu);
}

void timehist_lost_row(struct table *t, u64 t_ns, int cpu, u64 n)
{
	event_row(t, "lost", t_ns, cpu)[EV_COUNT] = cell_count(n);
}

/* --- sums --- */

/* Standard error of the mean in percent of the mean. */
static double stats_pct(const struct run_stats *r)
{
	if (r->n < 2 || r->mean <= 0)
		return 0;
	return 100.0 * sqrt(r->m2 / (double)(r->n - 1) / (double)r->n) / r->mean;
}

/* Off the CPU before the runs; idle times have no such. */
static void wait_cells(struct cell *cell, const struct run_stats *r, bool idle)
{
	const u64 ns[] = { r->slept_ns, r->blocked_ns, r->preempted_ns, r->delay_ns };

	for (size_t i = 0; i < ARRAY_SIZE(ns); i++)
		cell[i] = idle ? cell_absent() : cell_ns(ns[i]);
}

static void task_rows(struct timehist *t, struct table *out)
{
	static const char *const keys[] = {
		"task.comm", "task.tid", "task.pid", "parent", "count", "sum_ns", "min_ns",
		"avg_ns", "max_ns", "stddev_pct", "slept_ns", "blocked_ns", "preempted_ns",
		"delay_ns", "migrations",
	};
	struct sched_task *const *tasks;
	const size_t n = sched_tasks(t->sched, &tasks);

	out->key = "summary";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(out, keys[i], keys[i]);
	for (size_t i = 0; i < n; i++) {
		const struct run_stats *r = t->o.idle_hist ? slot(&t->idles, i) : slot(&t->runs, i);
		struct cell *cell;

		if (!r->n)
			continue;
		cell = table_add_row(out)->cells;
		task_cells(cell, tasks[i]);
		if (tasks[i]->ppid >= 0)
			cell[3] = cell_int(tasks[i]->ppid);
		cell[4] = cell_count(r->n);
		cell[5] = cell_ns(r->sum_ns);
		cell[6] = cell_ns(r->min_ns);
		cell[7] = cell_num(r->mean, 1);
		cell[8] = cell_ns(r->max_ns);
		cell[9] = cell_pct(stats_pct(r));
		wait_cells(&cell[10], r, t->o.idle_hist);
		cell[14] = cell_count(tasks[i]->n_migrations);
	}
}

/* Of a CPU that never was seen to leave its idle task: what it idles at the end. false: nothing
 * ran there, as far as is known. */
static bool idle_at_end(const struct timehist *t, const struct sched_cpu *cpu, bool busy,
			u64 *idle_ns)
{
	const bool idles = cpu && cpu->curr && cpu->curr->idle;

	*idle_ns = busy && idles && t->last_ns > cpu->idle_from_ns ?
		t->last_ns - cpu->idle_from_ns : 0;
	return busy || (cpu && cpu->curr && !idles);
}

static void idle_rows(struct timehist *t, u64 wall_ns, struct table *out)
{
	struct sched_cpu *const *cpus;
	const size_t known = sched_cpus(t->sched, &cpus),
		n = MAX(known, (size_t)MAX(t->o.max_cpu, 0));

	for (size_t i = 0; i < n; i++) {
		const struct cpu_idle *idle = slot(&t->idle, i);
		struct table_row *row = table_add_row(out);
		u64 ns = idle->ns;
		const bool entire = !idle->n && !idle_at_end(t, i < known ? cpus[i] : NULL,
							     idle->busy, &ns);

		ns = entire ? wall_ns : ns;
		row->hidden = !timehist_cpu_wanted(t, (int)i);
		row->cells[0] = cell_int((s64)i);
		row->cells[1] = cell_ns(ns);
		row->cells[2] = cell_pct(wall_ns ? 100.0 * (double)ns / (double)wall_ns : 0);
		row->cells[3] = cell_count(idle->n);
		row->cells[4] = cell_bool(entire);
	}
}

static int cmp_chains(const void *pa, const void *pb)
{
	const struct idle_chain *a = pa, *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return strcmp(a->text, b->text);
}

static void chain_rows(struct timehist *t, struct table *out)
{
	if (t->chains.n)
		qsort(t->chains.v, t->chains.n, sizeof(*t->chains.v), cmp_chains);
	for vec_each(c, &t->chains) {
		struct cell *cell = table_add_row(out)->cells;

		cell[0] = cell_int(c->cpu);
		cell[1] = cell_ns(c->ns);
		cell[2] = cell_count(c->count);
		cell[3] = cell_text(c->text);
	}
}

static void fact_row(struct timehist *t, const struct timehist_tables *sums, struct table *out)
{
	const struct sched_stats *st = sched_get_stats(t->sched);
	u64 run_ns = 0, switches = 0;
	struct cell *cell;

	for vec_each(row, &sums->tasks.rows) {
		switches += row->cells[4].u;
		run_ns += row->cells[5].u;
	}
	for vec_each(idle, &t->idle)
		switches += idle->n;
	cell = table_add_row(out)->cells;
	cell[0] = cell_count(sums->tasks.rows.n);
	cell[1] = cell_count(switches);
	cell[2] = cell_ns(run_ns);
	cell[3] = cell_ns(t->last_ns - t->first_ns);
	cell[4] = cell_count((u64)MAX(t->o.max_cpu, 1));
	cell[5] = cell_count(st->n_gaps);
}

static void add_columns(struct table *t, const char *key, const char *const *keys)
{
	t->key = key;
	for (; *keys; keys++)
		table_add_column(t, *keys, *keys);
}

void timehist_tables(struct timehist *t, struct timehist_tables *out)
{
	static const char *const idle[] = { "cpu", "idle_ns", "idle_pct", "count", "entire", NULL },
		*const chains[] = { "cpu", "idle_ns", "count", "chain", NULL },
		*const facts[] = { "tasks", "switches", "run_ns", "wall_ns", "cpus", "gaps", NULL };

	task_rows(t, &out->tasks);
	add_columns(&out->idle, "idle", idle);
	add_columns(&out->chains, "idle_chains", chains);
	add_columns(&out->facts, "facts", facts);
	out->some = t->skipped;
	if (t->skipped)
		return;
	idle_rows(t, t->last_ns - t->first_ns, &out->idle);
	if (t->o.idle_hist && t->o.chains)
		chain_rows(t, &out->chains);
	fact_row(t, out, &out->facts);
}

void timehist_tables_release(struct timehist_tables *t)
{
	table_release(&t->tasks);
	table_release(&t->idle);
	table_release(&t->chains);
	table_release(&t->facts);
}
