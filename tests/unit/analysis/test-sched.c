// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stories of the scheduler with known ends: what each task waited and ran, and that all sums close.
 */
#include <string.h>

#include "tests/unit/unit.h"
#include "util/analysis/sched-latency.h"

static void sw(struct sched *s, u64 t, int cpu, u32 prev, char state, u32 next)
{
	sched_on_switch(s, t, cpu, prev, prev ? "a" : "swapper", 120, state, false, next,
			next ? "b" : "swapper", 120, NULL);
}

static void wake(struct sched *s, u64 t, int cpu, u32 waker, u32 tid)
{
	sched_on_wake(s, t, cpu, waker, tid, "b", 120, cpu, false, NULL);
}

/* Every invariant of the header that can be seen from outside. */
static void check_sums(struct sched *s)
{
	const struct sched_stats *st = sched_get_stats(s);
	struct sched_task *const *tasks;
	struct sched_cpu *const *cpus;
	size_t n = sched_tasks(s, &tasks), n_cpus = sched_cpus(s, &cpus);

	for (size_t i = 0; i < n; i++) {
		u64 sum = 0;

		for (int k = 0; k < SCHED_NR_STATES; k++)
			sum += tasks[i]->state_ns[k];
		CHECK_EQ(sum, tasks[i]->since_ns - tasks[i]->first_ns);
		if (tasks[i]->first_ns)
			CHECK_EQ(tasks[i]->since_ns, st->last_ns);
	}
	for (size_t i = 0; i < n_cpus; i++) {
		if (cpus[i])
			CHECK_EQ(cpus[i]->run_ns + cpus[i]->idle_ns + cpus[i]->unknown_ns,
				 st->last_ns - cpus[i]->first_ns);
	}
}

struct seen { struct sched_switch last; u64 n; };

static void note(void *ctx, const struct sched_switch *s)
{
	struct seen *seen = ctx;

	seen->last = *s;
	seen->n++;
}

static struct sched *with_observer(struct seen *seen)
{
	struct sched *s = sched_new();

	memset(seen, 0, sizeof(*seen));
	sched_observe(s, &(struct sched_observer){ .ctx = seen, .switched = note });
	return s;
}

TEST(a_switch_that_is_reported_twice_counts_once)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);

	sw(s, 1000, 0, 0, 'R', 7);
	wake(s, 1200, 0, 7, 8);
	sw(s, 1500, 0, 7, 'S', 8);
	sw(s, 1500, 0, 7, 'S', 8);
	CHECK(!seen.last.run_known && !seen.last.next_delay_known);
	sw(s, 1900, 0, 8, 'S', 0);
	CHECK_EQ(seen.last.delay_ns, 300);
	CHECK_EQ(seen.last.run_ns, 400);
	CHECK_EQ(sched_get_stats(s)->n_gaps, 0);
	sched_close(s);
	check_sums(s);
	sched_free(s);
}

static void note_waker(void *ctx, const struct sched_wake *w)
{
	*(u32 *)ctx = w->waker->tid;
}

TEST(a_number_is_given_again_where_the_last_switch_is_missing)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);
	const struct sched_task *task;

	sched_on_task(s, 0, 7, 7, 1, "old");
	sw(s, 1000, 0, 0, 'R', 7);
	/* 7 still runs, says what was recorded; but now it is a thread of 50 */
	sched_on_task(s, 2000, 50, 7, 40, NULL);
	sched_on_fork(s, 2001, 40, 7, "new");
	task = sched_task_of(s, 7, 0);
	CHECK_EQ(task->pid, 50);
	CHECK_EQ(task->ppid, 40);
	CHECK_EQ(task->n_runs, 0);
	CHECK_STR(task->comm, "new");
	CHECK_EQ(sched_get_stats(s)->n_gaps, 1);
	sw(s, 3000, 0, 0, 'R', 7);
	sw(s, 3500, 0, 7, 'S', 0);
	CHECK_EQ(seen.last.run_ns, 500);
	sched_close(s);
	check_sums(s);
	sched_free(s);
}

TEST(a_waker_that_exits_is_what_its_cpu_runs)
{
	struct sched *s = sched_new();
	u32 waker = 0;

	sched_observe(s, &(struct sched_observer){ .ctx = &waker, .woken = note_waker });
	sw(s, 1000, 0, 0, 'R', 7);
	wake(s, 1100, 0, (u32)-1, 8);
	CHECK_EQ(waker, 7);
	/* nobody exits while the CPU is idle: a switch is missing */
	sw(s, 1200, 0, 7, 'S', 0);
	wake(s, 1300, 0, (u32)-1, 8);
	CHECK_EQ(waker, (u32)-1);
	sched_free(s);
}

TEST(a_run_has_its_wait_and_delay)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);

	sw(s, 1000, 0, 0, 'R', 7);	/* 7 begins to run: nothing is known of before */
	sw(s, 1500, 0, 7, 'S', 0);
	CHECK_EQ(seen.last.run_ns, 500);
	CHECK_EQ(seen.last.wait_ns, 0);
	wake(s, 2000, 0, 0, 7);
	sw(s, 2300, 0, 0, 'R', 7);
	CHECK_EQ(seen.last.next_wait_ns, 800);
	CHECK_EQ(seen.last.next_delay_ns, 300);
	CHECK_EQ(seen.last.next_ready_ns, 2000);
	sw(s, 2400, 0, 7, 'D', 0);
	CHECK_EQ(seen.last.run_ns, 100);
	CHECK_EQ(seen.last.wait_ns, 800);
	CHECK_EQ(seen.last.delay_ns, 300);
	sched_close(s);
	check_sums(s);
	CHECK_EQ(sched_task_of(s, 7, 0)->state_ns[SCHED_RUNNING], 600);
	CHECK_EQ(sched_task_of(s, 7, 0)->state_ns[SCHED_SLEEPING], 500);
	CHECK_EQ(sched_task_of(s, 7, 0)->state_ns[SCHED_RUNNABLE], 300);
	sched_free(s);
}

TEST(a_preempted_task_waits_from_then_on)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);

	sw(s, 1000, 0, 0, 'R', 7);
	sw(s, 1100, 0, 7, 'R', 8);
	wake(s, 1150, 0, 8, 7);		/* no sleep was there to end */
	sw(s, 1400, 0, 8, 'S', 7);
	CHECK_EQ(seen.last.next_delay_ns, 300);
	CHECK_EQ(sched_task_of(s, 7, 0)->n_wakeups, 0);
	sched_close(s);
	check_sums(s);
	CHECK_EQ(sched_task_of(s, 7, 0)->state_ns[SCHED_PREEMPTED], 300);
	sched_free(s);
}

TEST(missing_events_are_no_run_time)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);

	sw(s, 1000, 0, 0, 'R', 7);
	sw(s, 9000, 0, 8, 'S', 0);	/* when did 8 begin? */
	CHECK(!seen.last.run_known);
	CHECK_EQ(seen.last.run_ns, 0);
	CHECK_EQ(sched_get_stats(s)->n_gaps, 1);
	CHECK_EQ(sched_task_of(s, 7, 0)->state, SCHED_UNKNOWN);
	sw(s, 9500, 0, 0, 'R', 7);
	CHECK(!seen.last.next_delay_known);
	sched_close(s);
	check_sums(s);
	sched_free(s);
}

TEST(a_task_that_runs_elsewhere_left_unseen)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);

	sw(s, 1000, 0, 0, 'R', 7);
	sw(s, 2000, 1, 0, 'R', 7);
	CHECK_EQ(sched_get_stats(s)->n_gaps, 1);
	sw(s, 2500, 1, 7, 'S', 0);
	CHECK_EQ(seen.last.run_ns, 500);
	sched_close(s);
	check_sums(s);
	sched_free(s);
}

TEST(lost_records_make_the_cpu_unknown)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);

	sw(s, 1000, 0, 0, 'R', 7);
	sched_on_lost(s, 1500, 0, 42);
	sw(s, 3000, 0, 7, 'S', 0);
	CHECK(!seen.last.run_known);
	CHECK_EQ(sched_get_stats(s)->n_lost, 42);
	sched_close(s);
	check_sums(s);
	sched_free(s);
}

TEST(a_tid_that_is_forked_again_is_another_task)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);
	struct sched_task *first;

	sw(s, 1000, 0, 0, 'R', 7);
	first = sched_task_of(s, 7, 0);
	sw(s, 1100, 0, 7, 'X', 5);
	sched_on_fork(s, 1200, 5, 7, "child");
	CHECK(sched_task_of(s, 7, 0) != first);
	CHECK_EQ(sched_task_of(s, 7, 0)->ppid, 5);
	CHECK_STR(sched_task_of(s, 7, 0)->comm, "child");
	wake(s, 1300, 0, 5, 7);
	sw(s, 1400, 0, 5, 'S', 7);
	CHECK_EQ(seen.last.next_delay_ns, 100);
	CHECK_EQ(seen.last.next_wait_ns, 0);
	sched_close(s);
	check_sums(s);
	sched_free(s);
}

TEST(io_wait_is_reported_afterwards)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);

	sw(s, 1000, 0, 0, 'R', 7);
	sw(s, 1100, 0, 7, 'D', 0);
	sched_on_iowait(s, 1900, 7);
	wake(s, 1900, 0, 0, 7);
	sched_close(s);
	check_sums(s);
	CHECK_EQ(sched_task_of(s, 7, 0)->state_ns[SCHED_IOWAIT], 800);
	CHECK_EQ(sched_task_of(s, 7, 0)->state_ns[SCHED_BLOCKED], 0);
	sched_free(s);
}

TEST(time_does_not_go_back)
{
	struct seen seen;
	struct sched *s = with_observer(&seen);

	sw(s, 2000, 0, 0, 'R', 7);
	sw(s, 1000, 0, 7, 'S', 0);
	CHECK_EQ(seen.last.run_ns, 0);
	CHECK_EQ(sched_get_stats(s)->n_unordered, 1);
	sched_close(s);
	check_sums(s);
	sched_free(s);
}

TEST(latency_sums_by_comm_and_by_task)
{
	struct sched *s = sched_new();
	const struct latency_row *rows;
	struct latency *by_comm = latency_new(s, &(struct latency_opts){ 0 }, NULL);
	struct latency *by_task = latency_new(s,
					      &(struct latency_opts){ .per_task = true,
								      .sort = "max" }, NULL);

	for (u32 i = 0; i < 10; i++) {
		u64 t = 10000 + i * 10000;

		wake(s, t, 0, 0, 7 + i % 2);
		sw(s, t + 100 * (i + 1), 0, 0, 'R', 7 + i % 2);
		sched_on_switch(s, t + 100 * (i + 1) + 50, 0, 7 + i % 2, "b", 120, 'S', false, 0,
				"swapper", 0, NULL);
	}
	sched_close(s);
	CHECK_EQ(latency_rows(by_comm, &rows), 1);
	CHECK_EQ(rows[0].n_tasks, 2);
	CHECK_EQ(rows[0].n_delays, 10);
	CHECK_EQ(rows[0].delay_ns, 5500);
	CHECK_EQ(rows[0].run_ns, 500);
	CHECK_EQ(rows[0].max_ns, 1000);
	CHECK_EQ(rows[0].max_start_ns, 100000);
	CHECK_EQ(rows[0].max_end_ns, 101000);
	CHECK(ns_hist_percentile_ns(rows[0].hist, .5, rows[0].max_ns) >= 500);
	CHECK(ns_hist_percentile_ns(rows[0].hist, .5, rows[0].max_ns) < 600);
	CHECK_EQ(latency_rows(by_task, &rows), 2);
	CHECK_EQ(rows[0].tid, 8);
	CHECK_EQ(rows[1].n_delays, 5);
	latency_free(by_comm);
	latency_free(by_task);
	sched_free(s);
}

TEST(unknown_sort_keys_are_refused)
{
	struct sched *s = sched_new();
	struct err err = ERR_INIT;

	CHECK(!latency_new(s, &(struct latency_opts){ .sort = "avg,foo" }, &err));
	CHECK_STR(err.msg, "unknown sort key 'foo'");
	err_release(&err);
	sched_free(s);
}

TEST(percentile_buckets_are_within_an_eighth)
{
	for (u64 ns = 1; ns < 1ULL << 40; ns = ns * 9 / 8 + 1) {
		struct sched *s = sched_new();
		struct latency *l = latency_new(s, &(struct latency_opts){ 0 }, NULL);
		const struct latency_row *rows;
		u64 p;

		wake(s, 1000, 0, 0, 7);
		sw(s, 1000 + ns, 0, 0, 'R', 7);
		sw(s, 1000 + ns, 0, 7, 'R', 0);
		sw(s, 1000 + 4 * ns, 0, 0, 'R', 7);
		sched_close(s);
		CHECK_EQ(latency_rows(l, &rows), 1);
		p = ns_hist_percentile_ns(rows[0].hist, .5, rows[0].max_ns);
		CHECK(p >= ns && p <= ns + ns / 8 + 1);
		p = ns_hist_percentile_ns(rows[0].hist, .99, rows[0].max_ns);
		CHECK_EQ(p, 3 * ns);	/* the longest */
		latency_free(l);
		sched_free(s);
	}
}
