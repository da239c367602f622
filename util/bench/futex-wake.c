// SPDX-License-Identifier: GPL-2.0-or-later
// futex wake, wake-parallel: how long it takes to wake threads that wait for the same futex.
#include "util/bench/futex-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct waiter { struct gang *g; u32 *word; bool shared; };

static void *waiter_thread(void *arg)
{
	const struct waiter *w = arg;

	gang_wait(w->g);
	while (futex_wait(w->word, 0, w->shared) && errno == EINTR)
		;
	return NULL;
}

/* Makes n threads that block on the word. */
static int block_threads(struct gang *g, const struct waiter *w, int n, struct err *err)
{
	int ret = 0;

	gang_init(g);
	for (int i = 0; i < n && !ret; i++)
		ret = gang_add(g, waiter_thread, (void *)(uintptr_t)w, true, err);
	if (!ret) {
		gang_go(g);
		futex_let_block();
	}
	return ret;
}

/* For good: who does not wait yet, or still does, will not. */
static void unblock_threads(struct gang *g, struct waiter *w)
{
	__atomic_store_n(w->word, 1, __ATOMIC_SEQ_CST);
	futex_wake(w->word, INT32_MAX, w->shared);
	gang_release(g);
	*w->word = 0;
}

/* ---- one that wakes ---- */

static int wake_all(const struct bench_futex_opts *o, u32 *word, int n)
{
	int woken = 0, now;

	while (woken < n) {
		now = futex_wake(word, o->wakes, o->shared);
		if (now < 0)
			break;
		woken += now;
	}
	return woken;
}

int bench_futex_wake(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_futex_opts *o = opts;
	const int n = bench_threads(b, o->threads);
	struct stat_spread us = { 0 }, woken = { 0 };
	u32 word = 0;
	struct gang g;
	struct waiter w = { &g, &word, o->shared };
	int ret = futex_prepare(o, err);

	if (!ret && o->wakes < 1)
		ret = err_set(err, EINVAL, "-w %d: at least one thread is to be woken", o->wakes);
	if (!ret)
		fprintf(b->out, "Run summary [PID %d]: blocking on %d threads (at [%s] futex %p), "
				"waking up %d at a time.\n\n", getpid(), n, futex_kind(o),
			(void *)&word, o->wakes);
	for (int run = 1; run <= b->repeat && !ret; run++) {
		u64 from;
		int now = 0;

		ret = block_threads(&g, &w, n, err);
		from = bench_now_us();
		if (!ret)
			now = wake_all(o, &word, n);
		from = bench_now_us() - from;
		unblock_threads(&g, &w);
		stat_spread_add(&us, (double)from);
		stat_spread_add(&woken, now);
		if (!ret && !o->silent)
			fprintf(b->out, "[Run %d]: Wokeup %d of %d threads in %.4f ms\n", run, now,
				n, (double)from / 1000);
		fflush(b->out);
	}
	if (!ret) {
		fprintf(b->out, "Wokeup %d of %d threads in %.4f ms (+-%.2f%%)\n", (int)woken.mean,
			n, us.mean / 1000, bench_rel_error(&us));
		futex_print_hash(b, o);
	}
	return ret;
}

/* ---- many that wake at once ---- */

struct waker {
	struct gang *g;
	const struct bench_futex_opts *o;
	u32 *word;
	int wakes, woken;
	u64 us;
};

static void *waker_thread(void *arg)
{
	struct waker *w = arg;
	u64 from;

	gang_wait(w->g);
	from = bench_now_us();
	w->woken = futex_wake(w->word, w->wakes, w->o->shared);
	w->us = bench_now_us() - from;
	return NULL;
}

struct parallel {
	struct bench *b;
	const struct bench_futex_opts *o;
	int n, n_wakers;
	struct stat_spread us, woken;	/* of all runs */
};

static int run_wakers(struct parallel *p, struct waker *wakers, u32 *word, struct err *err)
{
	struct gang g;
	int ret = 0;

	gang_init(&g);
	for (int i = 0; i < p->n_wakers && !ret; i++) {
		wakers[i] = (struct waker){ &g, p->o, word, p->n / p->n_wakers, 0, 0 };
		ret = gang_add(&g, waker_thread, &wakers[i], false, err);
	}
	gang_release(&g);
	return ret;
}

static void print_run(struct parallel *p, const struct waker *wakers, int run)
{
	struct stat_spread us = { 0 }, woken = { 0 };

	for (int i = 0; i < p->n_wakers; i++) {
		stat_spread_add(&us, (double)wakers[i].us);
		stat_spread_add(&woken, wakers[i].woken);
	}
	stat_spread_add(&p->us, us.mean);
	stat_spread_add(&p->woken, woken.mean);
	if (!p->o->silent)
		fprintf(p->b->out, "[Run %d]: Avg per-thread latency (waking %d/%d threads) in "
				   "%.4f ms (+-%.2f%%)\n", run, (int)woken.mean, p->n,
			us.mean / 1000, bench_rel_error(&us));
	fflush(p->b->out);
}

static int run_parallel(struct parallel *p, struct err *err)
{
	struct waker *wakers = xcalloc((size_t)p->n_wakers, sizeof(*wakers));
	u32 word = 0;
	struct gang g;
	struct waiter w = { &g, &word, p->o->shared };
	int ret = 0;

	fprintf(p->b->out, "Run summary [PID %d]: blocking on %d threads (at [%s] futex %p), "
			   "%d threads waking up %d at a time.\n\n", getpid(), p->n,
		futex_kind(p->o), (void *)&word, p->n_wakers, p->n / p->n_wakers);
	for (int run = 1; run <= p->b->repeat && !ret; run++) {
		ret = block_threads(&g, &w, p->n, err);
		ret = ret ? ret : run_wakers(p, wakers, &word, err);
		unblock_threads(&g, &w);
		if (!ret)
			print_run(p, wakers, run);
	}
	free(wakers);
	return ret;
}

int bench_futex_wake_parallel(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_futex_opts *o = opts;
	struct parallel p = { b, o, .n = bench_threads(b, o->threads) };
	int ret = futex_prepare(o, err);

	p.n_wakers = o->wakers && o->wakers < p.n ? o->wakers : p.n;
	if (!ret && p.n % p.n_wakers) {
		ret = err_set(err, EINVAL, "%d threads cannot be shared out among %d that wake "
					   "them", p.n, p.n_wakers);
		err_hint(err, "-t must be a multiple of -w");
	}
	ret = ret ? ret : run_parallel(&p, err);
	if (ret)
		return ret;
	fprintf(b->out, "Avg per-thread latency (waking %d/%d threads) in %.4f ms (+-%.2f%%)\n",
		(int)p.woken.mean, p.n, p.us.mean / 1000, bench_rel_error(&p.us));
	futex_print_hash(b, o);
	return 0;
}
