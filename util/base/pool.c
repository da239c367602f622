// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Invariants:
 * 1. A job is published under the lock by a new generation; a worker takes part in each generation
 * exactly once.
 * 2. pool_run() returns only when every worker has left the generation, so fn and ctx may die then.
 * 3. Items are taken from one counter, in index order.
 */
#include "util/base/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/xalloc.h"

struct pool_worker {
	struct pool *pool;
	pthread_t thread;
	unsigned index;
};

struct pool {
	unsigned n_threads;		/* with the caller */
	struct pool_worker *workers;	/* n_threads - 1 */
	pthread_mutex_t lock;
	pthread_cond_t start, done;
	u64 generation;
	unsigned busy;			/* workers that have not left the generation yet */
	bool stop;
	/* the job */
	size_t n, next;
	void (*fn)(void *ctx, size_t item, unsigned worker);
	void *ctx;
};

static void work(struct pool *p, unsigned worker)
{
	for (;;) {
		size_t i = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED);

		if (i >= p->n)
			return;
		p->fn(p->ctx, i, worker);
	}
}

static void *worker_main(void *arg)
{
	struct pool_worker *w = arg;
	struct pool *p = w->pool;
	u64 seen = 0;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->generation == seen && !p->stop)
			pthread_cond_wait(&p->start, &p->lock);
		if (p->stop)
			break;
		seen = p->generation;
		pthread_mutex_unlock(&p->lock);
		work(p, w->index);
		pthread_mutex_lock(&p->lock);
		if (!--p->busy)
			pthread_cond_signal(&p->done);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

unsigned pool_default_threads(void)
{
	const long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned)n : 1;
}

struct pool *pool_new(unsigned n_threads)
{
	struct pool *p = xnew(struct pool);

	if (!n_threads)
		n_threads = pool_default_threads();
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->start, NULL);
	pthread_cond_init(&p->done, NULL);
	p->workers = xcalloc(n_threads, sizeof(*p->workers));
	p->n_threads = 1;
	while (p->n_threads < n_threads) {
		struct pool_worker *w = &p->workers[p->n_threads - 1];

		w->pool = p;
		w->index = p->n_threads;
		/* fewer threads than asked for are slower, not wrong */
		if (pthread_create(&w->thread, NULL, worker_main, w))
			break;
		p->n_threads++;
	}
	return p;
}

void pool_free(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i + 1 < p->n_threads; i++)
		pthread_join(p->workers[i].thread, NULL);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->start);
	pthread_cond_destroy(&p->done);
	free(p->workers);
	free(p);
}

unsigned pool_threads(const struct pool *p)
{
	return p->n_threads;
}

void pool_run(struct pool *p, size_t n, void (*fn)(void *ctx, size_t item, unsigned worker),
	      void *ctx)
{
	if (p->n_threads == 1 || n < 2) {
		for (size_t i = 0; i < n; i++)
			fn(ctx, i, 0);
		return;
	}
	pthread_mutex_lock(&p->lock);
	p->n = n;
	p->next = 0;
	p->fn = fn;
	p->ctx = ctx;
	p->busy = p->n_threads - 1;
	p->generation++;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->lock);
	work(p, 0);
	pthread_mutex_lock(&p->lock);
	while (p->busy)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}
