// SPDX-License-Identifier: GPL-2.0-or-later
// What each task and CPU did, by the scheduler's events.
#include "util/analysis/why/why-priv.h"

static struct why_task *task_at(struct why *w, const struct sched_task *task)
{
	while (w->tasks.n <= (size_t)task->index)
		(void)vec_add(&w->tasks);
	w->tasks.v[task->index].task = task;
	return &w->tasks.v[task->index];
}

static struct why_seg *last_seg(struct why_task *t)
{
	return t->segs.n ? vec_last(&t->segs) : NULL;
}

/* One that has no length gives way to what follows. */
static void add_seg(struct why_task *t, const struct why_seg *seg)
{
	struct why_seg *last = last_seg(t);

	if (last && last->from_ns == seg->from_ns && last->state == seg->state)
		*last = *seg;
	else
		vec_push(&t->segs, *seg);
}

static enum why_state state_of_letter(char letter)
{
	switch (letter) {
	case 'R': return WHY_READY;
	case 'D': return WHY_BLOCKED;
	case 'T': case 't': return WHY_STOPPED;
	case 'X': case 'x': case 'Z': return WHY_GONE;
	default: return WHY_SLEEPS;
	}
}

static void leaves(struct why *w, const struct sched_switch *sw)
{
	struct why_task *t = task_at(w, sw->prev);
	struct why_seg *last = last_seg(t);
	struct why_seg seg = { .from_ns = sw->t_ns, .cpu = sw->cpu->cpu, .waker = -1,
			       .state = (u8)state_of_letter(sw->state) };
	bool fault = false;

	/* It was back, and nobody knows since when: events are missing. */
	if (last && last->state != WHY_RUNS)
		last->state = WHY_UNKNOWN;
	if (seg.state != WHY_READY && seg.state != WHY_GONE)
		seg.wait = (u8)why_wait_of(w, sw->item, &fault);
	if (seg.state == WHY_STOPPED)
		seg.wait = WAIT_STOP;
	/* of idle threads of the kernel */
	if (sw->state == 'I')
		seg.wait = WAIT_WORK;
	seg.fault = fault;
	add_seg(t, &seg);
}

static bool is_asleep(const struct why_seg *seg)
{
	return seg && (seg->state == WHY_SLEEPS || seg->state == WHY_BLOCKED ||
		       seg->state == WHY_STOPPED);
}

static void comes(struct why *w, const struct sched_switch *sw)
{
	struct why_task *t = task_at(w, sw->next);
	const struct why_seg *last = last_seg(t);

	/* The wake-up came while the task was on its way to sleep. */
	if (is_asleep(last) && t->segs.n > 1 && t->early.from_ns &&
	    t->early.from_ns >= t->segs.v[t->segs.n - 2].from_ns) {
		struct why_seg seg = t->early;

		seg.from_ns = last->from_ns;
		vec_push(&t->segs, seg);
	}
	t->early.from_ns = 0;
	add_seg(t, &(struct why_seg){ .from_ns = sw->t_ns, .state = WHY_RUNS,
				      .cpu = sw->cpu->cpu, .waker = -1 });
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct why *w = ctx;
	struct why_cpu *cpu = why_cpu_at(w, sw->cpu->cpu);

	w->first_ns = MIN(w->first_ns, sw->t_ns);
	/* it may have changed its own while it ran */
	if (cpu->slots.n && vec_last(&cpu->slots)->task == sw->prev->index)
		vec_last(&cpu->slots)->prio = sw->prev->prio;
	vec_push(&cpu->slots, ((struct why_slot){ .from_ns = sw->t_ns,
				.task = sw->next->idle ? -1 : sw->next->index,
				.prio = sw->next->prio }));
	if (!sw->prev->idle)
		leaves(w, sw);
	if (!sw->next->idle)
		comes(w, sw);
}

static void on_wake(void *ctx, const struct sched_wake *wake)
{
	struct why *w = ctx;
	struct why_task *t = task_at(w, wake->task);
	const struct why_seg *last = last_seg(t);
	const struct why_seg seg = {
		.from_ns = wake->t_ns, .state = WHY_READY, .woken = true,
		.cpu = wake->target_cpu >= 0 ? wake->target_cpu : wake->cpu,
		.waker = wake->waker && !wake->waker->idle ? wake->waker->index : -1,
		.how = (u8)why_how_of(w, wake->item, !wake->waker || wake->waker->idle),
	};

	w->first_ns = MIN(w->first_ns, wake->t_ns);
	if (last && last->state == WHY_RUNS)
		t->early = seg;
	else if (!last || last->state != WHY_READY)
		add_seg(t, &seg);
}

static void on_move(void *ctx, const struct sched_move *m)
{
	struct why *w = ctx;
	struct why_task *t = task_at(w, m->task);
	const struct why_seg *last = last_seg(t);
	struct why_seg seg;

	if (!last || last->state != WHY_READY || last->cpu == m->to_cpu)
		return;
	seg = *last;
	seg.from_ns = m->t_ns;
	seg.cpu = m->to_cpu;
	seg.woken = last->woken && last->from_ns == m->t_ns;
	add_seg(t, &seg);
}

static void on_lost(void *ctx, u64 t_ns, int cpu UNUSED, u64 n UNUSED)
{
	struct why *w = ctx;

	vec_push(&w->lost, t_ns);
}

void why_observe(struct why *w)
{
	sched_observe(w->sched, &(struct sched_observer){ .ctx = w, .switched = on_switch,
			.woken = on_wake, .moved = on_move, .lost = on_lost });
}
