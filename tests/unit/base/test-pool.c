// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "util/base/pool.h"

#define ITEMS 3000

struct job {
	unsigned runs[ITEMS];
	u64 result[ITEMS];
	unsigned threads;
	bool bad_worker;
};

static void square(void *ctx, size_t item, unsigned worker)
{
	struct job *j = ctx;

	j->runs[item]++;
	j->result[item] = (u64)item * item;
	if (worker >= j->threads)
		j->bad_worker = true;
}

/* Each item exactly once, the same result with any number of threads, many jobs after another on
 * one pool. */
TEST(each_item_once)
{
	static const unsigned threads[] = { 1, 2, 3, 8 };

	for (size_t t = 0; t < ARRAY_SIZE(threads); t++) {
		struct pool *p = pool_new(threads[t]);

		CHECK(pool_threads(p) >= 1);
		CHECK(pool_threads(p) <= threads[t]);
		for (size_t n = 0; n < 40; n++) {
			static struct job j;
			size_t items = n == 39 ? ITEMS : n;

			memset(&j, 0, sizeof(j));
			j.threads = pool_threads(p);
			pool_run(p, items, square, &j);
			for (size_t i = 0; i < ITEMS; i++) {
				CHECK_EQ(j.runs[i], i < items);
				CHECK_EQ(j.result[i], i < items ? i * i : 0);
			}
			CHECK(!j.bad_worker);
		}
		pool_free(p);
	}
}

static void in_order(void *ctx, size_t item, unsigned worker)
{
	size_t *next = ctx;

	CHECK_EQ(*next, item);
	CHECK_EQ(worker, 0);
	++*next;
}

TEST(one_thread_runs_in_order)
{
	struct pool *p = pool_new(1);
	size_t next = 0;

	pool_run(p, 100, in_order, &next);
	CHECK_EQ(next, 100);
	pool_free(p);
	pool_free(NULL);
}

struct late {
	pthread_barrier_t both;
	bool done[2];
};

/* Both threads hold an item at once; the caller's own ends first. */
static void end_late(void *ctx, size_t item, unsigned worker)
{
	struct late *l = ctx;

	pthread_barrier_wait(&l->both);
	if (worker)
		usleep(50000);
	__atomic_store_n(&l->done[item], true, __ATOMIC_RELAXED);
}

TEST(returns_when_all_are_done)
{
	struct pool *p = pool_new(2);
	struct late l = { .done = { false, false } };

	if (pool_threads(p) != 2)
		SKIP("no second thread");
	pthread_barrier_init(&l.both, NULL, 2);
	pool_run(p, 2, end_late, &l);
	CHECK(__atomic_load_n(&l.done[0], __ATOMIC_RELAXED));
	CHECK(__atomic_load_n(&l.done[1], __ATOMIC_RELAXED));
	pthread_barrier_destroy(&l.both);
	pool_free(p);
}

TEST(default_has_a_thread)
{
	struct pool *p = pool_new(0);

	CHECK(pool_threads(p) >= 1);
	pool_free(p);
}
