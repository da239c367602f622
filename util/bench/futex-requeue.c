// SPDX-License-Identifier: GPL-2.0-or-later
// futex requeue: threads that wait for one futex are made to wait for another one.
#include "util/bench/futex-priv.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

struct requeue {
	struct gang g;
	struct bench *b;
	const struct bench_futex_opts *o;
	int n;
	u32 from, to;
	struct stat_spread us, moved;
};

static void *waiter_thread(void *arg)
{
	struct requeue *r = arg;
	int ret;

	gang_wait(&r->g);
	if (!r->o->pi) {
		while (futex_wait(&r->from, 0, r->o->shared) && errno == EINTR)
			;
		return NULL;
	}
	do {
		ret = futex_wait_requeue_pi(&r->from, 0, &r->to, r->o->shared);
	} while (ret && (errno == EINTR || errno == EAGAIN || errno == ETIMEDOUT) &&
		 !__atomic_load_n(&r->from, __ATOMIC_RELAXED));
	if (!ret)	/* it owns the second one now: for the next */
		futex_unlock_pi(&r->to, r->o->shared);
	return NULL;
}

struct sum { int woken, moved; };

/* Until all have been moved or woken. A thread that does not wait yet is waited for. */
static int move_all(struct requeue *r, struct sum *sum, struct err *err)
{
	const int at_once = r->o->broadcast ? r->n : MAX(r->o->requeues, 1);

	while (sum->moved + sum->woken < r->n) {
		const int n = futex_cmp_requeue(&r->from, 0, &r->to, at_once, r->o);

		if (n < 0 && errno != EAGAIN)
			return err_sys(err, errno, "cannot requeue threads%s",
				       r->o->pi ? " to a PI futex" : "");
		if (n > 0 && r->o->pi) {	/* the first one got the lock */
			sum->woken++;
			sum->moved += n - 1;
		} else if (n > 0) {
			sum->moved += n;
		}
	}
	return 0;
}

static void end_waiters(struct requeue *r)
{
	__atomic_store_n(&r->from, 1, __ATOMIC_SEQ_CST);
	futex_wake(&r->from, INT_MAX, r->o->shared);
	if (!r->o->pi)
		futex_wake(&r->to, INT_MAX, r->o->shared);
	gang_release(&r->g);
	r->from = r->to = 0;
}

static void print_run(struct requeue *r, int run, const struct sum *sum, u64 us)
{
	FILE *out = r->b->out;

	stat_spread_add(&r->us, (double)us);
	stat_spread_add(&r->moved, sum->moved + sum->woken);
	if (r->o->silent)
		return;
	if (r->o->pi)
		fprintf(out, "[Run %d]: Awoke and Requeued (%d+%d) of %d threads in %.4f ms\n", run,
			sum->woken, sum->moved, r->n, (double)us / 1000);
	else
		fprintf(out, "[Run %d]: Requeued %d of %d threads in %.4f ms\n", run, sum->moved,
			r->n, (double)us / 1000);
	fflush(out);
}

static int run_once(struct requeue *r, int run, struct err *err)
{
	struct sum sum = { 0 };
	int ret = 0;
	u64 us;

	gang_init(&r->g);
	for (int i = 0; i < r->n && !ret; i++)
		ret = gang_add(&r->g, waiter_thread, r, true, err);
	if (!ret) {
		gang_go(&r->g);
		futex_let_block();
	} else {
		r->from = 1;
	}
	us = bench_now_us();
	ret = ret ? ret : move_all(r, &sum, err);
	us = bench_now_us() - us;
	end_waiters(r);
	if (!ret)
		print_run(r, run, &sum, us);
	return ret;
}

int bench_futex_requeue(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_futex_opts *o = opts;
	struct requeue r = { .b = b, .o = o, .n = bench_threads(b, o->threads) };
	int ret = futex_prepare(o, err);

	if (ret)
		return ret;
	fprintf(b->out, "Run summary [PID %d]: Requeuing %d threads (from [%s] %p to %s%p), %d at "
			"a time.\n\n", getpid(), r.n, futex_kind(o), (void *)&r.from,
		o->pi ? "PI " : "", (void *)&r.to, o->broadcast ? r.n : o->requeues);
	for (int run = 1; run <= b->repeat && !ret; run++)
		ret = run_once(&r, run, err);
	if (ret)
		return ret;
	fprintf(b->out, "Requeued %d of %d threads in %.4f ms (+-%.2f%%)\n", (int)r.moved.mean, r.n,
		r.us.mean / 1000, bench_rel_error(&r.us));
	futex_print_hash(b, o);
	return 0;
}
