// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "util/bpf/offcpu.h"

struct seen { u64 n, ns; };

static int see(void *ctx, const struct offcpu_sum *s)
{
	struct seen *seen = ctx;

	seen->n += s->n;
	seen->ns += s->ns;
	return 0;
}

static void rest(int ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000L }, NULL);
}

/* In two functions of the C library: without frame pointers these tell stacks apart. */
static void rest_at_places(u64 *least_ns)
{
	sigset_t none;

	sigemptyset(&none);
	for (int i = 0; i < 4; i++)
		rest(2);
	sigtimedwait(&none, NULL, &(struct timespec){ 0, 5000000 });
	*least_ns = 13000000;
}

static void measure(u32 n_sums, u64 thresh_ns, struct seen *sums, struct seen *blocks)
{
	struct offcpu_opts o = { .n_sums = n_sums, .thresh_ns = thresh_ns };
	int_vec tids = { 0 };
	struct err err = ERR_INIT;
	struct offcpu *c;
	struct os os;
	u64 least_ns, from;

	os_init(&os);
	vec_push(&tids, (int)getpid());
	o.tids = &tids;
	if (offcpu_open(&c, &o, &os, &err)) {
		err_release(&err);
		SKIP("needs root, and a kernel that lets BPF watch switches of tasks");
	}
	rest(5);			/* it is not on yet */
	from = os_now_ns();
	offcpu_switch(c, true);
	rest_at_places(&least_ns);
	offcpu_switch(c, false);
	const u64 all = os_now_ns() - from;

	rest(5);
	CHECK_EQ(offcpu_stop(c, &os, see, sums), 0);
	CHECK_EQ(offcpu_drain(c, see, blocks), 0);
	CHECK_EQ(offcpu_sums(c, see, sums), 0);
	CHECK_EQ(offcpu_lost(c).n, 0);
	CHECK(sums->ns + blocks->ns >= least_ns);
	CHECK(sums->ns + blocks->ns <= all);
	offcpu_close(c);
	vec_free(&tids);
	os_release(&os);
}

TEST(blocks_are_added_up_by_stack)
{
	struct seen sums = { 0 }, blocks = { 0 };

	measure(0, UINT64_MAX, &sums, &blocks);
	CHECK_EQ(blocks.n, 0);
	CHECK(sums.n >= 5);
}

TEST(long_blocks_come_one_by_one)
{
	struct seen sums = { 0 }, blocks = { 0 };

	measure(0, 0, &sums, &blocks);
	CHECK_EQ(sums.n, 0);
	CHECK(blocks.n >= 5);
}

TEST(what_finds_no_room_among_the_sums_comes_one_by_one)
{
	struct seen sums = { 0 }, blocks = { 0 };

	measure(1, UINT64_MAX, &sums, &blocks);
	CHECK(sums.n >= 1);
	CHECK(blocks.n >= 1);
	CHECK(sums.n + blocks.n >= 5);
}
