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
	const struct lane *cpus;
	u64 busy = 0, last = 0;

	for (u64 i = 0; i < 10000; i++) {
		sched_on_switch(s, 1000 + i * 1000, 0, 0, "swapper", 0, 'R', false, 7 + i % 3, "x", 120, NULL);
		sched_on_switch(s, 1600 + i * 1000, 0, 7 + i % 3, "x", 120, 'S', false, 0, "swapper", 0, NULL);
	}
	sched_close(s);
	timechart_close(t);
	CHECK_EQ(timechart_cpus(t, &cpus), 1);
	CHECK_EQ(cpus[0].run_ns, 6000000);
	CHECK(cpus[0].bars.n <= 200);
	for (size_t i = 0; i < cpus[0].bars.n; i++) {
		const struct bar *b = &cpus[0].bars.v[i];

		CHECK(b->from_ns >= last && b->to_ns > b->from_ns && b->busy_ns <= b->to_ns - b->from_ns);
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
	const struct lane *tasks;
	u64 bytes = 0, busy = 0;
	bool failed = false;

	for (u64 i = 0; i < 1000; i++)
		timechart_io(t, task, BAR_WRITE, 1000 + i * 1000, 1400 + i * 1000, 0, 512);
	timechart_io(t, task, BAR_READ, 2000000, 2000100, 0, -EAGAIN);
	timechart_io(t, task, BAR_POLL, 2000200, 2000300, 0, 3);	/* 3 files, not bytes */
	CHECK(timechart_tasks(t, &tasks) > (size_t)task->index);
	CHECK(tasks[task->index].io.n <= 50);
	for (size_t i = 0; i < tasks[task->index].io.n; i++) {
		bytes += tasks[task->index].io.v[i].bytes;
		busy += tasks[task->index].io.v[i].busy_ns;
		failed |= tasks[task->index].io.v[i].failed;
	}
	CHECK_EQ(bytes, 512000);
	CHECK_EQ(busy, 400200);
	CHECK_EQ(tasks[task->index].io_ns, 400200);
	CHECK(failed);
	timechart_free(t);
	sched_free(s);
}

TEST(a_run_that_goes_on_at_the_end_is_drawn)
{
	struct sched *s = sched_new();
	struct timechart *t = timechart_new(s, 200);
	const struct lane *cpus;

	sched_on_switch(s, 1000, 0, 0, "swapper", 0, 'R', false, 7, "x", 120, NULL);
	sched_on_wake(s, 5000, 0, 7, 8, "y", 120, 0, false, NULL);
	sched_close(s);
	timechart_close(t);
	CHECK_EQ(timechart_cpus(t, &cpus), 1);
	CHECK_EQ(cpus[0].bars.n, 1);
	CHECK_EQ(cpus[0].run_ns, 4000);
	timechart_free(t);
	sched_free(s);
}
