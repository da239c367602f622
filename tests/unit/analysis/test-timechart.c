// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Spans of a chart: what they add up to, however much they are thinned.
 */
#include <errno.h>

#include "tests/unit/unit.h"
#include "util/analysis/timechart.h"

TEST(thinning_keeps_the_sums)
{
	struct sched *s = sched_new();
	struct timechart *t = timechart_new(s, 200);
	const struct timechart_row *cpus;
	u64 busy = 0, last = 0;

	for (u64 i = 0; i < 10000; i++) {
		sched_on_switch(s, 1000 + i * 1000, 0, 0, "swapper", 0, 'R', false, 7 + i % 3, "x",
				120, NULL);
		sched_on_switch(s, 1600 + i * 1000, 0, 7 + i % 3, "x", 120, 'S', false, 0,
				"swapper", 0, NULL);
	}
	sched_close(s);
	timechart_close(t);
	CHECK_EQ(timechart_cpus(t, &cpus), 1);
	CHECK_EQ(cpus[0].ns[BAR_RUNNING], 6000000);
	CHECK(cpus[0].bars[BAR_RUNNING].n <= 200);
	for (size_t i = 0; i < cpus[0].bars[BAR_RUNNING].n; i++) {
		const struct bar *b = &cpus[0].bars[BAR_RUNNING].v[i];

		CHECK(b->from_ns >= last && b->to_ns > b->from_ns && b->busy_ns <= b->to_ns -
		      b->from_ns);
		last = b->to_ns;
		busy += b->busy_ns;
	}
	CHECK_EQ(busy, 6000000);
	timechart_free(t);
	sched_free(s);
}

TEST(calls_of_a_task_keep_bytes_and_errors)
{
	struct sched *s = sched_new();
	struct timechart *t = timechart_new(s, 50);
	const struct sched_task *task = sched_task_of(s, 7, 0);
	const struct timechart_row *tasks;
	u64 bytes = 0, busy = 0;
	bool failed = false;

	for (u64 i = 0; i < 1000; i++)
		timechart_io(t, task, BAR_WRITE, 1000 + i * 1000, 1400 + i * 1000, 0, 512);
	timechart_io(t, task, BAR_READ, 2000000, 2000100, 0, -EAGAIN);
	timechart_io(t, task, BAR_POLL, 2000200, 2000300, 0, 3);	/* 3 files, not bytes */
	CHECK(timechart_tasks(t, &tasks) > (size_t)task->index);
	CHECK(tasks[task->index].bars[BAR_WRITE].n <= 50);
	for (int kind = BAR_IO_FIRST; kind <= BAR_IO_LAST; kind++) {
		for vec_each(b, &tasks[task->index].bars[kind]) {
			bytes += b->value;
			busy += b->busy_ns;
			failed |= b->failed;
		}
	}
	CHECK_EQ(bytes, 512000);
	CHECK_EQ(busy, 400200);
	CHECK_EQ(timechart_row_io_ns(&tasks[task->index]), 400200);
	CHECK(failed);
	timechart_free(t);
	sched_free(s);
}

TEST(a_run_that_goes_on_at_the_end_is_drawn)
{
	struct sched *s = sched_new();
	struct timechart *t = timechart_new(s, 200);
	const struct timechart_row *cpus;

	sched_on_switch(s, 1000, 0, 0, "swapper", 0, 'R', false, 7, "x", 120, NULL);
	sched_on_wake(s, 5000, 0, 7, 8, "y", 120, 0, false, NULL);
	sched_close(s);
	timechart_close(t);
	CHECK_EQ(timechart_cpus(t, &cpus), 1);
	CHECK_EQ(cpus[0].bars[BAR_RUNNING].n, 1);
	CHECK_EQ(cpus[0].ns[BAR_RUNNING], 4000);
	timechart_free(t);
	sched_free(s);
}

TEST(thinning_ends_when_kinds_take_turns)
{
	struct sched *s = sched_new();
	struct timechart *t = timechart_new(s, 200);
	const struct timechart_row *tasks;
	size_t n = 0;

	/* One task runs and waits, over and over: no two bars of a kind touch. */
	for (u64 i = 0; i < 20000; i++) {
		sched_on_switch(s, 1000 + i * 1000, 0, 7, "x", 120, 'R', false, 8, "y", 120, NULL);
		sched_on_switch(s, 1500 + i * 1000, 0, 8, "y", 120, 'R', false, 7, "x", 120, NULL);
	}
	sched_close(s);
	timechart_close(t);
	n = timechart_tasks(t, &tasks);
	for (size_t i = 0; i < n; i++) {
		for (int kind = 0; kind < BAR_KINDS; kind++) {
			u64 busy = 0;

			CHECK(tasks[i].bars[kind].n <= 200);
			for vec_each(b, &tasks[i].bars[kind])
				busy += b->busy_ns;
			CHECK_EQ(busy, tasks[i].ns[kind]);
		}
	}
	timechart_free(t);
	sched_free(s);
}

TEST(power_states_of_a_cpu_follow_each_other)
{
	struct sched *s = sched_new();
	struct timechart *t = timechart_new(s, 200);
	const struct timechart_row *cpus;

	timechart_idle(t, 1000, 1, false, 2);
	timechart_idle(t, 3000, 1, true, 0);
	timechart_idle(t, 4000, 1, false, 1);
	timechart_idle(t, 4500, 1, false, 3);	/* deeper, without having been awake */
	timechart_freq(t, 2000, 1, 800000);
	timechart_freq(t, 4000, 1, 2400000);
	timechart_idle(t, 1, -1, false, 1);	/* a damaged number */
	timechart_idle(t, 1, 1 << 30, false, 1);
	sched_on_time(s, 5000);
	sched_close(s);
	timechart_close(t);
	CHECK_EQ(timechart_cpus(t, &cpus), 2);
	CHECK_EQ(cpus[1].bars[BAR_IDLE].n, 3);
	CHECK_EQ(cpus[1].bars[BAR_IDLE].v[1].value, 1);
	CHECK_EQ(cpus[1].bars[BAR_IDLE].v[2].to_ns, 5000);
	CHECK_EQ(cpus[1].ns[BAR_IDLE], 3000);
	CHECK_EQ(cpus[1].bars[BAR_FREQ].n, 2);
	CHECK_EQ(cpus[1].bars[BAR_FREQ].v[0].value, 800000);
	timechart_free(t);
	sched_free(s);
}

TEST(io_that_is_reported_after_the_wakeup_is_io)
{
	struct sched *s = sched_new();
	struct timechart *t = timechart_new(s, 200);
	const struct sched_task *task;
	const struct timechart_row *tasks;

	sched_on_switch(s, 1000, 0, 0, "swapper", 0, 'R', false, 7, "x", 120, NULL);
	sched_on_switch(s, 2000, 0, 7, "x", 120, 'D', false, 0, "swapper", 0, NULL);
	sched_on_wake(s, 5000, 0, 0, 7, "x", 120, 0, false, NULL);
	sched_on_iowait(s, 5010, 7);
	sched_on_iowait(s, 5020, 7);	/* reported twice: counted once */
	sched_on_switch(s, 5100, 0, 0, "swapper", 0, 'R', false, 7, "x", 120, NULL);
	sched_close(s);
	timechart_close(t);
	task = sched_task_of(s, 7, 0);
	CHECK_EQ(task->state_ns[SCHED_IOWAIT], 3000);
	CHECK_EQ(task->state_ns[SCHED_BLOCKED], 0);
	timechart_tasks(t, &tasks);
	CHECK_EQ(tasks[task->index].bars[BAR_BLOCKED].n, 0);
	CHECK_EQ(tasks[task->index].bars[BAR_IOWAIT].n, 1);
	CHECK_EQ(tasks[task->index].ns[BAR_IOWAIT], 3000);
	timechart_free(t);
	sched_free(s);
}
