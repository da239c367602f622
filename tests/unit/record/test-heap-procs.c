// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdio.h>

#include "util/base/str.h"
#include "util/record/heap-procs.h"

static struct wire_task task(u32 pid, u32 ppid, u64 time_ns)
{
	return (struct wire_task){ .pid = pid, .tid = pid, .ppid = ppid, .ptid = ppid,
				   .time_ns = time_ns };
}

/* "5 6 ": the processes to be probed. */
static void check_fork(struct heap_procs *ps, u32 pid, u32 ppid, u64 time_ns, const char *expect)
{
	const struct wire_task t = task(pid, ppid, time_ns);
	heap_pids pids = { NULL, 0, 0 };
	struct str got = STR_INIT;

	heap_procs_fork(ps, &t, &pids);
	for vec_each(p, &pids)
		str_addf(&got, "%u ", *p);
	CHECK_STR(str_cstr(&got), expect);
	str_release(&got);
	vec_free(&pids);
}

static void end(struct heap_procs *ps, u32 pid, u64 time_ns, size_t n_fds)
{
	const struct wire_task t = task(pid, 0, time_ns);
	int_vec fds = { NULL, 0, 0 };

	heap_procs_exit(ps, &t, &fds);
	CHECK_EQ(fds.n, n_fds);
	vec_free(&fds);
}

/* 1 forks 2, which forks 3 and ends: 3 is known to be of 2. */
TEST(parent_that_has_ended)
{
	struct heap_procs ps = { .next_ended = 0 };

	heap_proc_add(heap_procs_make(&ps, 1), 7);
	check_fork(&ps, 2, 1, 100, "2 ");
	heap_proc_add(heap_procs_get(&ps, 2), 7);
	vec_push(&heap_procs_get(&ps, 2)->fds, 50);
	end(&ps, 2, 300, 1);
	check_fork(&ps, 3, 2, 200, "3 ");
	CHECK_EQ(heap_procs_get(&ps, 3)->ppid, 2);
	CHECK(heap_procs_get(&ps, 2)->ended && heap_proc_has(heap_procs_get(&ps, 2), 7));
	CHECK(!heap_proc_has(heap_procs_get(&ps, 3), 7));
	heap_procs_release(&ps);
}

/* The same, the records of the second before those of the first; 4 is a child of 3. */
TEST(children_before_their_parents)
{
	struct heap_procs ps = { .next_ended = 0 };

	heap_procs_make(&ps, 1);
	check_fork(&ps, 4, 3, 250, "4 ");
	check_fork(&ps, 3, 2, 200, "3 4 ");
	end(&ps, 2, 300, 0);
	CHECK(heap_procs_get(&ps, 2)->ended);
	check_fork(&ps, 2, 1, 100, "2 3 4 ");
	CHECK(heap_procs_get(&ps, 2)->ended);
	heap_procs_release(&ps);
}

TEST(number_that_is_used_again)
{
	struct heap_procs ps = { .next_ended = 0 };

	heap_procs_make(&ps, 1);
	check_fork(&ps, 2, 1, 100, "2 ");
	heap_proc_add(heap_procs_get(&ps, 2), 7);
	check_fork(&ps, 3, 2, 150, "3 ");
	end(&ps, 2, 200, 0);
	check_fork(&ps, 2, 1, 300, "2 ");	/* 3 is no child of this one */
	CHECK(!heap_procs_get(&ps, 2)->ended && !heap_proc_has(heap_procs_get(&ps, 2), 7));
	end(&ps, 2, 400, 0);
	CHECK(!heap_procs_make(&ps, 2)->ended);
	heap_procs_release(&ps);
}

TEST(ended_ones_are_forgotten_some_time)
{
	struct heap_procs ps = { .next_ended = 0 };
	int_vec fds = { NULL, 0, 0 };

	vec_push(&heap_procs_make(&ps, 1)->fds, 50);
	for (u32 pid = 2; pid < 5000; pid++) {
		char expect[16];

		snprintf(expect, sizeof(expect), "%u ", pid);
		check_fork(&ps, pid, 1, pid, expect);
		end(&ps, pid, pid + 1, 0);
	}
	CHECK(ps.by_pid.n < 1100);
	CHECK(!heap_procs_get(&ps, 2) && heap_procs_get(&ps, 4999) && heap_procs_get(&ps, 1));
	heap_procs_take(&ps, &fds);
	CHECK_EQ(fds.n, 1);
	vec_free(&fds);
	heap_procs_release(&ps);
}
