// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched-replay.h"

#include <stdlib.h>

#include "util/base/xalloc.h"

static struct replay_task *task_of(struct replay *r, const struct sched_task *task)
{
	while (r->tasks.n <= (size_t)task->index)
		(void)vec_add(&r->tasks);
	r->tasks.v[task->index].task = task;
	return &r->tasks.v[task->index];
}

/* What it ran since the last step. */
static void add_run(struct replay *r, struct replay_task *t, u64 t_ns)
{
	if (!t->mark_ns || t_ns <= t->mark_ns)
		return;
	vec_push(&t->steps, ((struct load_step){ .op = LOAD_RUN, .ns = t_ns - t->mark_ns }));
	r->n_runs++;
	r->run_ns += t_ns - t->mark_ns;
	t->mark_ns = t_ns;
}

static void fall_asleep(struct replay *r, struct replay_task *t, u64 t_ns)
{
	vec_push(&t->steps, ((struct load_step){ .op = LOAD_SLEEP }));
	t->sleeps = true;
	t->slept_ns = t_ns;
	r->n_sleeps++;
}

/* It runs, and nobody was seen to wake it. */
static void wake_up(struct replay_task *t, u64 t_ns)
{
	if (t->sleeps)
		vec_last(&t->steps)->ns = t_ns - t->slept_ns;
	t->sleeps = false;
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct replay *r = ctx;
	struct replay_task *t;

	if (!sw->prev->idle) {
		t = task_of(r, sw->prev);
		/* A run whose beginning was not seen is not invented. */
		if (sw->run_known)
			add_run(r, t, sw->t_ns);
		t->mark_ns = 0;
		t->seen = true;
		if (!t->sleeps && (sw->prev->state == SCHED_SLEEPING || sw->prev->state ==
				   SCHED_BLOCKED ||
				   sw->prev->state == SCHED_IOWAIT))
			fall_asleep(r, t, sw->t_ns);
	}
	if (sw->next->idle)
		return;
	t = task_of(r, sw->next);
	t->mark_ns = sw->t_ns;
	t->seen = true;
	wake_up(t, sw->t_ns);
}

static void on_wake(void *ctx, const struct sched_wake *w)
{
	const struct sched_stats *st = sched_get_stats(((struct replay *)ctx)->sched);
	struct replay *r = ctx;
	struct replay_task *t, *by;

	if (w->task->idle)
		return;
	t = task_of(r, w->task);
	/* One that is first heard of when it is woken slept from the beginning; a new one waits
	 * for its parent. */
	if (!t->seen && !t->sleeps)
		fall_asleep(r, t, st->first_ns);
	t->seen = true;
	if (!t->sleeps)
		return;
	t->sleeps = false;
	vec_last(&t->steps)->ns = w->t_ns - t->slept_ns;
	if (w->waker->idle || w->waker == w->task)
		return;
	vec_last(&t->steps)->op = LOAD_WAIT;
	by = task_of(r, w->waker);	/* t may have moved */
	by->seen = true;
	wake_up(by, w->t_ns);	/* or both could wait for each other */
	add_run(r, by, w->t_ns);
	vec_push(&by->steps, ((struct load_step){ .op = LOAD_WAKE, .task = (u32)w->task->index }));
	r->n_wakes++;
}

struct replay *replay_new(struct sched *s)
{
	struct replay *r = xnew(struct replay);

	r->sched = s;
	sched_observe(s, &(struct sched_observer){ .ctx = r, .switched = on_switch,
						   .woken = on_wake });
	return r;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->tasks.n; i++)
		vec_free(&r->tasks.v[i].steps);
	vec_free(&r->tasks);
	free(r);
}

/* A sleep without an end is the task's last step; what stands alone is nothing to replay. */
static void end_sleeps(struct replay *r)
{
	for (size_t i = 0; i < r->tasks.n; i++) {
		struct replay_task *t = &r->tasks.v[i];

		if (!t->sleeps)
			continue;
		t->sleeps = false;
		t->steps.n--;
		r->n_sleeps--;
	}
}

size_t replay_script(struct replay *r, struct load_task **out, const struct replay_task ***of)
{
	u32 *place = xcalloc(r->tasks.n + 1, sizeof(*place));
	size_t n = 0;

	end_sleeps(r);
	*out = xcalloc(r->tasks.n + 1, sizeof(**out));
	*of = xcalloc(r->tasks.n + 1, sizeof(**of));
	for (size_t i = 0; i < r->tasks.n; i++) {
		struct replay_task *t = &r->tasks.v[i];

		if (!t->steps.n)
			continue;
		place[i] = (u32)n;
		(*of)[n] = t;
		(*out)[n++] = (struct load_task){ t->steps.v, t->steps.n };
	}
	for (size_t i = 0; i < r->tasks.n; i++) {
		for vec_each(step, &r->tasks.v[i].steps) {
			if (step->op == LOAD_WAKE)
				step->task = place[step->task];
		}
	}
	free(place);
	return n;
}

static void fact_row(const struct replay *r, struct table *out)
{
	struct cell *cell;

	out->key = "facts";
	table_add_column(out, "run_events", "run_events");
	table_add_column(out, "sleep_events", "sleep_events");
	table_add_column(out, "wakeup_events", "wakeup_events");
	table_add_column(out, "run_ns", "run_ns");
	cell = table_add_row(out)->cells;
	cell[0] = cell_count(r->n_runs);
	cell[1] = cell_count(r->n_sleeps);
	cell[2] = cell_count(r->n_wakes);
	cell[3] = cell_ns(r->run_ns);
}

void replay_tables(const struct replay *r, const struct replay_task *const *of, size_t n,
		   struct replay_tables *out)
{
	struct table *t = &out->tasks;

	fact_row(r, &out->facts);
	t->key = "tasks";
	table_add_column(t, "comm", "comm");
	table_add_column(t, "tid", "tid");
	table_add_column(t, "events", "events");
	for (size_t i = 0; i < n; i++) {
		struct cell *cell = table_add_row(t)->cells;

		cell[0] = cell_text(of[i]->task->comm);
		cell[1] = cell_int((s32)of[i]->task->tid);
		cell[2] = cell_count(of[i]->steps.n);
	}
}

void replay_tables_release(struct replay_tables *t)
{
	table_release(&t->facts);
	table_release(&t->tasks);
}

void replay_round_columns(struct table *t)
{
	t->key = "rounds";
	table_add_column(t, "wall_ns", "wall_ns");
	table_add_column(t, "cpu_ns", "cpu_ns");
}

void replay_round_row(struct table *t, const struct load_times *times)
{
	struct cell *cell = table_add_row(t)->cells;

	cell[0] = cell_ns(times->wall_ns);
	cell[1] = cell_ns(times->cpu_ns);
}
