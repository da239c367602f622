// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <time.h>

#include "util/os/module-watch.h"

/* By a clock that can be read: the answer lies between two readings. */
TEST(clocks_of_records)
{
	static const int clocks[] = { CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME,
				      CLOCK_BOOTTIME };
	struct os os;

	os_init(&os);
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		const struct perf_event_attr attr = { .use_clockid = 1, .clockid = clocks[i] };
		struct timespec a, b;
		u64 now, t, took;

		clock_gettime(clocks[i], &a);
		now = os_now_ns();
		t = os_perf_time(&os, &attr, now);
		clock_gettime(clocks[i], &b);
		/* however long we were not running between two readings */
		took = os_now_ns() - now;
		/* the clocks tick apart */
		CHECK(t + took + 1000 >= (u64)a.tv_sec * NSEC_PER_SEC + (u64)a.tv_nsec);
		CHECK(t <= (u64)b.tv_sec * NSEC_PER_SEC + (u64)b.tv_nsec + 1000);
	}
	os_release(&os);
}

/* Told by a sample; twice nearly the same. */
TEST(clock_of_the_scheduler)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE };
	struct os os;
	u64 now, a, b;

	os_init(&os);
	now = os_now_ns();
	a = os_perf_time(&os, &attr, now);
	b = os_perf_time(&os, &attr, now + 5000000);
	os_release(&os);
	if (!a)
		SKIP("no page fault can be sampled here");
	CHECK((b > a ? b - a : a - b) < 60 * NSEC_PER_SEC);
}

TEST(a_fake_tree_has_no_watch)
{
	struct os os;

	os_init_root(&os, unit_tmpdir());
	CHECK(os_module_watch_open(&os) == NULL);
	os_module_watch_close(NULL);
	CHECK_EQ(os_perf_time(&os, &(struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE }, 77),
		 77);
	os_release(&os);
}
