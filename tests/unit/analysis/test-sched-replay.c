// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recorded stories become scripts; the scripts run to their end and use the CPU time that was
 * recorded.
 */
#include <stdlib.h>

#include "tests/unit/unit.h"
#include "util/analysis/sched-replay.h"

static void sw(struct sched *s, u64 t, int cpu, u32 prev, char state, u32 next)
{
	sched_on_switch(s, t, cpu, prev, prev ? "a" : "swapper", 120, state, false, next,
			next ? "b" : "swapper", 120, NULL);
}

static void wake(struct sched *s, u64 t, int cpu, u32 waker, u32 tid)
{
	sched_on_wake(s, t, cpu, waker, tid, "b", 120, cpu, false, NULL);
}

struct script { struct sched *s; struct replay *r; struct load_task *tasks;
		const struct replay_task **of; size_t n; };

static struct script begin(void)
{
	struct script p = { .s = sched_new() };

	p.r = replay_new(p.s);
	return p;
}

static void finish(struct script *p)
{
	sched_close(p->s);
	p->n = replay_script(p->r, &p->tasks, &p->of);
}

static void release(struct script *p)
{
	free(p->tasks);
	free(p->of);
	replay_free(p->r);
	sched_free(p->s);
}

/* Runs it, and says whether it used at least the recorded CPU time. */
static void check_runs(const struct script *p)
{
	struct load_times t;
	struct err err = ERR_INIT;

	CHECK_EQ(load_run(p->tasks, p->n, &t, &err), 0);
	CHECK(t.cpu_ns >= p->r->run_ns);
	CHECK(t.wall_ns > 0);
	err_release(&err);
}

static void check_step(const struct load_task *t, size_t i, enum load_op op, u64 ns)
{
	CHECK(i < t->n);
	CHECK_EQ(t->steps[i].op, op);
	CHECK_EQ(t->steps[i].ns, ns);
}

TEST(replay_of_two_that_wake_each_other)
{
	struct script p = begin();

	sw(p.s, 1000, 0, 0, 'R', 7);
	wake(p.s, 1300, 0, 7, 8);	/* 8 slept from the beginning */
	sw(p.s, 1500, 0, 7, 'S', 8);
	wake(p.s, 1900, 0, 8, 7);
	sw(p.s, 2000, 0, 8, 'S', 7);
	sw(p.s, 2600, 0, 7, 'S', 0);	/* both sleep to the end: nothing to replay */
	finish(&p);
	CHECK_EQ(p.n, 2);
	CHECK_EQ(p.of[0]->task->tid, 7);
	CHECK_EQ(p.tasks[0].n, 5);
	check_step(&p.tasks[0], 0, LOAD_RUN, 300);
	check_step(&p.tasks[0], 1, LOAD_WAKE, 0);
	CHECK_EQ(p.tasks[0].steps[1].task, 1);
	check_step(&p.tasks[0], 2, LOAD_RUN, 200);
	check_step(&p.tasks[0], 3, LOAD_WAIT, 400);
	check_step(&p.tasks[0], 4, LOAD_RUN, 600);
	CHECK_EQ(p.tasks[1].n, 4);
	check_step(&p.tasks[1], 0, LOAD_WAIT, 300);
	check_step(&p.tasks[1], 1, LOAD_RUN, 400);
	check_step(&p.tasks[1], 2, LOAD_WAKE, 0);
	check_step(&p.tasks[1], 3, LOAD_RUN, 100);
	CHECK_EQ(p.r->run_ns, 1600);
	check_runs(&p);
	release(&p);
}

TEST(replay_of_a_sleep_that_an_interrupt_ended)
{
	struct script p = begin();

	sw(p.s, 1000, 0, 0, 'R', 7);
	sw(p.s, 2000, 0, 7, 'S', 0);
	wake(p.s, 52000, 0, 0, 7);
	sw(p.s, 53000, 0, 0, 'R', 7);
	sw(p.s, 54000, 0, 7, 'D', 0);
	sw(p.s, 74000, 0, 0, 'R', 7);	/* its wake-up is missing */
	sw(p.s, 75000, 0, 7, 'R', 8);	/* preempted */
	finish(&p);
	CHECK_EQ(p.n, 1);
	CHECK_EQ(p.tasks[0].n, 5);
	check_step(&p.tasks[0], 1, LOAD_SLEEP, 50000);
	check_step(&p.tasks[0], 2, LOAD_RUN, 1000);
	check_step(&p.tasks[0], 3, LOAD_SLEEP, 20000);
	check_step(&p.tasks[0], 4, LOAD_RUN, 1000);
	check_runs(&p);
	release(&p);
}

/* Events are missing: one that sleeps wakes another, which wakes it. Nobody may wait for ever. */
TEST(replay_with_missing_events_ends)
{
	struct script p = begin();

	sw(p.s, 1000, 0, 0, 'R', 7);
	sw(p.s, 1100, 1, 0, 'R', 8);
	sw(p.s, 2000, 0, 7, 'S', 0);
	sw(p.s, 2100, 1, 8, 'S', 0);
	wake(p.s, 3000, 0, 7, 8);
	wake(p.s, 3100, 1, 8, 7);
	wake(p.s, 3200, 1, 8, 7);	/* reported twice: one wake-up */
	finish(&p);
	CHECK_EQ(p.n, 2);
	CHECK_EQ(p.r->n_wakes, 1);
	check_runs(&p);
	release(&p);
}

TEST(load_of_nobody_and_of_many)
{
	struct load_step pass[] = { { LOAD_WAIT, 0, 0 }, { LOAD_WAKE, 0, 0 } };
	struct load_step first[] = { { LOAD_WAKE, 1, 0 }, { LOAD_WAIT, 0, 0 } };
	struct load_step steps[20][2];
	struct load_task tasks[20];
	struct load_times t;
	struct err err = ERR_INIT;

	CHECK_EQ(load_run(NULL, 0, &t, &err), 0);
	for (u32 i = 0; i < 20; i++) {	/* a ring: each wakes the next one */
		memcpy(steps[i], i ? pass : first, sizeof(pass));
		if (i)
			steps[i][1].task = (i + 1) % 20;
		tasks[i] = (struct load_task){ steps[i], 2 };
	}
	CHECK_EQ(load_run(tasks, 20, &t, &err), 0);
	err_release(&err);
}
