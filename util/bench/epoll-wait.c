// SPDX-License-Identifier: GPL-2.0-or-later
// epoll wait: threads that take events from epoll, of descriptors that one thread writes to.
#include "util/bench/epoll-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define OPS 0
#define WAIT_MS 100	/* of one wait, so that the end is seen when nothing is written any more */

/* One event; false: the descriptors are broken. */
static bool take_event(struct epoll_worker *w)
{
	const struct bench_epoll_opts *o = w->all->o;
	struct epoll_event e = { 0 };
	u64 value;
	int n = epoll_wait(w->epoll, &e, 1, o->nonblocking ? 0 : WAIT_MS), fd = e.data.fd;

	if (n < 0 && errno != EINTR) {
		w->code = errno;
		return false;
	}
	if (n < 1)
		return true;
	/* level-triggered: several can see the same event, one of which gets it */
	if (read(fd, &value, sizeof(value)) != sizeof(value) && errno != EAGAIN) {
		w->code = errno;
		return false;
	}
	if (o->oneshot) {
		e.events = EPOLLIN | EPOLLONESHOT | (o->edge ? (u32)EPOLLET : 0);
		if (epoll_ctl(w->epoll, EPOLL_CTL_MOD, fd, &e)) {
			w->code = errno;
			return false;
		}
	}
	w->n[OPS]++;
	return true;
}

static void *waiter_thread(void *arg)
{
	struct epoll_worker *w = arg;

	gang_wait(&w->all->g);
	while (!gang_done(&w->all->g) && take_event(w))
		;
	return NULL;
}

static void write_to_all(struct epoll_bench *e, int *order)
{
	static const u64 one = 1;

	for (int i = 0; i < e->n; i++)
		for (int f = 0; f < e->o->fds; f++)
			if (write(e->workers[i].fds[order[f]], &one, sizeof(one)) < 0 &&
			    gang_done(&e->g))
				return;
}

static void shuffle(int *order, int n, u64 *seed)
{
	for (int i = n; i > 1; i--) {
		const int j = (int)(bench_random(seed) % (u32)i), kept = order[j];

		order[j] = order[i - 1];
		order[i - 1] = kept;
	}
}

static void *writer_thread(void *arg)
{
	struct epoll_bench *e = arg;
	int *order = xcalloc((size_t)e->o->fds, sizeof(*order));
	u64 loops = 0, seed = 1;

	for (int f = 0; f < e->o->fds; f++)
		order[f] = f;
	gang_wait(&e->g);
	if (e->b->verbose)
		fprintf(e->b->out, "starting writer-thread: doing %s writes ...\n",
			e->o->random ? "random" : "lineal");
	for (; !gang_done(&e->g); loops++) {
		if (e->o->random)
			shuffle(order, e->o->fds, &seed);
		write_to_all(e, order);
		nanosleep(&(struct timespec){ .tv_nsec = 500 }, NULL);
	}
	if (e->b->verbose)
		fprintf(e->b->out, "exiting writer-thread (total full-loops: %llu)\n",
			(unsigned long long)loops);
	free(order);
	return NULL;
}

static void print_threads(const struct epoll_bench *e)
{
	struct stat_spread spread = { 0 };

	for (int i = 0; i < e->n; i++) {
		const u64 rate = e->us ? (u64)((double)e->workers[i].n[OPS] * US_PER_SEC /
					       (double)e->us) : 0;

		stat_spread_add(&spread, (double)rate);
		epoll_print_worker(e, i);
		fprintf(e->b->out, "%04llu ops/sec ]\n", (unsigned long long)rate);
	}
	fprintf(e->b->out, "\nAveraged %llu operations/sec (+- %.2f%%), total secs = %d\n",
		(unsigned long long)spread.mean, bench_rel_error(&spread),
		(int)(e->us / US_PER_SEC));
}

int bench_epoll_wait(struct bench *b, const void *opts, struct err *err)
{
	struct epoll_bench e = { .b = b, .o = opts, .epoll = -1 };
	/* one CPU is the writer's */
	const int threads = e.o->threads ? e.o->threads : bench_threads(b, 0) - 1;
	int ret = epoll_bench_init(&e, true, threads, err);

	if (!ret) {
		fprintf(b->out, "Run summary [PID %d]: %d threads monitoring%s on %d "
				"file-descriptors for %d secs.\n\n", getpid(), e.n,
			e.o->oneshot ? " (EPOLLONESHOT semantics)" : "", e.o->fds, e.o->seconds);
		ret = epoll_bench_run(&e, waiter_thread, writer_thread, err);
	}
	gang_release(&e.g);
	gang_init(&e.g);
	for (int i = 0; i < e.n && !ret; i++)
		if (e.workers[i].code)
			ret = err_sys(err, e.workers[i].code, "thread %d cannot take events", i);
	if (!ret)
		print_threads(&e);
	epoll_bench_release(&e);
	return ret;
}
