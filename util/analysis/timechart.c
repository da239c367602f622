// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/timechart.h"

#include <stdlib.h>

#include "util/base/xalloc.h"

#define MAX_WAKEUPS 1000

struct timechart {
	struct sched *sched;
	VEC(struct lane) cpus, tasks;
	VEC(struct wakeup_mark) wakeups;
	u64 wakeup_step, n_wakeups;	/* every wakeup_step-th is kept */
	size_t n_bars, max_bars;
	u64 quantum_ns;			/* bars and gaps below are summed */
};

#define lane_at(vec, i) ({ \
	while ((vec)->n <= (size_t)(i)) \
		(void)vec_add(vec); \
	&(vec)->v[i]; })

static bool can_sum(const struct bar *last, const struct bar *s, u64 quantum_ns)
{
	if (last->kind != s->kind || s->from_ns - last->to_ns > quantum_ns)
		return false;
	return s->to_ns - s->from_ns <= quantum_ns || last->to_ns - last->from_ns <= quantum_ns;
}

/* last takes s in: the task of the longer one names it. */
static void sum_into(struct bar *last, const struct bar *s)
{
	if (s->busy_ns > last->busy_ns) {
		last->task = s->task;
		last->cpu = s->cpu;
	}
	last->busy_ns += s->busy_ns;
	last->bytes += s->bytes;
	last->failed |= s->failed;
	last->to_ns = s->to_ns;
	last->summed = 1;
}

static size_t bars_thin(const struct timechart *t, struct bar *v, size_t n_bars)
{
	size_t n = 0;

	for (size_t i = 0; i < n_bars; i++) {
		if (n && can_sum(&v[n - 1], &v[i], t->quantum_ns))
			sum_into(&v[n - 1], &v[i]);
		else
			v[n++] = v[i];
	}
	return n;
}

static void lane_thin(struct timechart *t, struct lane *l)
{
	l->bars.n = bars_thin(t, l->bars.v, l->bars.n);
	l->io.n = bars_thin(t, l->io.v, l->io.n);
	t->n_bars += l->bars.n + l->io.n;
}

/* Doubles the quantum until half of the room is free again. */
static void thin(struct timechart *t)
{
	do {
		t->quantum_ns = t->quantum_ns ? t->quantum_ns * 2 : 1000;
		t->n_bars = 0;
		for (size_t i = 0; i < t->cpus.n; i++)
			lane_thin(t, &t->cpus.v[i]);
		for (size_t i = 0; i < t->tasks.n; i++)
			lane_thin(t, &t->tasks.v[i]);
	} while (t->n_bars > t->max_bars / 2 && t->quantum_ns < NSEC_PER_SEC);
}

static void add_bar(struct timechart *t, struct lane *l, enum bar_kind kind, u64 from_ns, u64 to_ns, int task, int cpu)
{
	struct bar s = { .from_ns = from_ns, .to_ns = to_ns, .busy_ns = to_ns - from_ns, .task = task, .cpu = cpu, .kind = (u8)kind };

	if (to_ns <= from_ns)
		return;
	if (!l->end_ns)
		l->begin_ns = from_ns;
	l->end_ns = to_ns;
	*(kind == BAR_RUNNING ? &l->run_ns : kind == BAR_WAITING ? &l->wait_ns : &l->block_ns) += s.busy_ns;
	if (t->quantum_ns && l->bars.n && can_sum(vec_last(&l->bars), &s, t->quantum_ns)) {
		sum_into(vec_last(&l->bars), &s);
		return;
	}
	vec_push(&l->bars, s);
	if (++t->n_bars > t->max_bars)
		thin(t);
}

void timechart_io(struct timechart *t, const struct sched_task *task, enum bar_kind kind, u64 from_ns, u64 to_ns, int cpu,
		  s64 result)
{
	struct bar s = { .from_ns = from_ns, .to_ns = to_ns, .busy_ns = to_ns - from_ns, .task = task->index, .cpu = cpu,
			 .kind = (u8)kind, .failed = result < 0 };
	struct lane *l = lane_at(&t->tasks, task->index);

	if (to_ns < from_ns || kind < BAR_READ)
		return;
	if (result > 0 && kind != BAR_SYNC && kind != BAR_POLL)
		s.bytes = (u64)result;
	l->io_ns += s.busy_ns;
	if (t->quantum_ns && l->io.n && can_sum(vec_last(&l->io), &s, t->quantum_ns)) {
		sum_into(vec_last(&l->io), &s);
		return;
	}
	vec_push(&l->io, s);
	if (++t->n_bars > t->max_bars)
		thin(t);
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct timechart *t = ctx;
	int cpu = sw->cpu->cpu;

	if (!sw->prev->idle && sw->run_known) {
		add_bar(t, lane_at(&t->cpus, cpu), BAR_RUNNING, sw->in_ns, sw->t_ns, sw->prev->index, cpu);
		add_bar(t, lane_at(&t->tasks, sw->prev->index), BAR_RUNNING, sw->in_ns, sw->t_ns, sw->prev->index, cpu);
	} else {
		(void)lane_at(&t->cpus, cpu);
	}
	if (!sw->next->idle && sw->next_delay_known)
		add_bar(t, lane_at(&t->tasks, sw->next->index), BAR_WAITING, sw->next_ready_ns, sw->t_ns, sw->next->index, cpu);
}

static void on_wake(void *ctx, const struct sched_wake *w)
{
	struct timechart *t = ctx;
	struct wakeup_mark mark = { w->t_ns, w->waker->index, w->task->index };

	if (w->task->woken_ns != w->t_ns)
		return;
	/* The time asleep that ends: only the uninterruptible is drawn, since it is what hurts. */
	if (w->task->out_ns && w->was_blocked)
		add_bar(t, lane_at(&t->tasks, w->task->index), BAR_BLOCKED, w->task->out_ns, w->t_ns, w->task->index, w->task->cpu);
	if (t->n_wakeups++ % t->wakeup_step)
		return;
	vec_push(&t->wakeups, mark);
	if (t->wakeups.n == MAX_WAKEUPS * 2) {
		for (size_t i = 0; i < MAX_WAKEUPS; i++)
			t->wakeups.v[i] = t->wakeups.v[2 * i];
		t->wakeups.n = MAX_WAKEUPS;
		t->wakeup_step *= 2;
	}
}

struct timechart *timechart_new(struct sched *s, size_t max_bars)
{
	struct timechart *t = xnew(struct timechart);

	t->sched = s;
	t->max_bars = max_bars;
	t->wakeup_step = 1;
	sched_observe(s, &(struct sched_observer){ .ctx = t, .switched = on_switch, .woken = on_wake });
	return t;
}

void timechart_free(struct timechart *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->cpus.n; i++)
		vec_free(&t->cpus.v[i].bars);
	for (size_t i = 0; i < t->tasks.n; i++) {
		vec_free(&t->tasks.v[i].bars);
		vec_free(&t->tasks.v[i].io);
	}
	vec_free(&t->cpus);
	vec_free(&t->tasks);
	vec_free(&t->wakeups);
	free(t);
}

void timechart_close(struct timechart *t)
{
	u64 end = sched_get_stats(t->sched)->last_ns;
	struct sched_cpu *const *cpus;
	size_t n = sched_cpus(t->sched, &cpus);

	for (size_t i = 0; i < n; i++) {
		const struct sched_task *task = cpus[i] ? cpus[i]->curr : NULL;

		if (!task || task->idle || task->state != SCHED_RUNNING || !task->in_ns)
			continue;
		add_bar(t, lane_at(&t->cpus, i), BAR_RUNNING, task->in_ns, end, task->index, (int)i);
		add_bar(t, lane_at(&t->tasks, task->index), BAR_RUNNING, task->in_ns, end, task->index, (int)i);
	}
}

size_t timechart_cpus(const struct timechart *t, const struct lane **out)
{
	*out = t->cpus.v;
	return t->cpus.n;
}

size_t timechart_tasks(const struct timechart *t, const struct lane **out)
{
	*out = t->tasks.v;
	return t->tasks.n;
}

size_t timechart_wakeups(const struct timechart *t, const struct wakeup_mark **out)
{
	*out = t->wakeups.v;
	return MIN(t->wakeups.n, (size_t)MAX_WAKEUPS);
}
