// SPDX-License-Identifier: GPL-2.0-or-later
// futex hash: how fast threads find their futexes in the kernel's hash, where none waits.
#include "util/bench/futex-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define NOT_THE_VALUE 1234	/* so that no wait waits */

struct hasher {
	struct gang *g;
	const struct bench_futex_opts *o;
	u32 *futexes;
	u64 n;
};

static void *hasher_thread(void *arg)
{
	struct hasher *h = arg;
	u64 n = 0;

	gang_wait(h->g);
	do {
		for (int i = 0; i < h->o->futexes; i++, n++)
			futex_wait(&h->futexes[i], NOT_THE_VALUE, h->o->shared);
	} while (!gang_done(h->g));
	h->n = n;
	return NULL;
}

static void print_threads(const struct bench *b, const struct bench_futex_opts *o,
			  const struct hasher *h, int n, u64 us)
{
	struct stat_spread spread = { 0 };

	for (int i = 0; i < n; i++) {
		const u64 rate = us ? (u64)((double)h[i].n * US_PER_SEC / (double)us) : 0;

		stat_spread_add(&spread, (double)rate);
		if (o->silent)
			continue;
		if (o->futexes == 1)
			fprintf(b->out, "[thread %2d] futex: %p [ %llu ops/sec ]\n", i,
				(void *)h[i].futexes, (unsigned long long)rate);
		else
			fprintf(b->out, "[thread %2d] futexes: %p ... %p [ %llu ops/sec ]\n", i,
				(void *)h[i].futexes, (void *)&h[i].futexes[o->futexes - 1],
				(unsigned long long)rate);
	}
	fprintf(b->out, "%sAveraged %.0f operations/sec (+- %.2f%%), total secs = %d\n",
		o->silent ? "" : "\n", (double)(u64)spread.mean, bench_rel_error(&spread),
		(int)(us / US_PER_SEC));
}

int bench_futex_hash(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_futex_opts *o = opts;
	const int n = bench_threads(b, o->threads);
	struct hasher *h = xcalloc((size_t)n, sizeof(*h));
	int ret = futex_prepare(o, err);
	struct gang g;
	u64 us = 0;

	if (!ret && o->futexes < 1)
		ret = err_set(err, EINVAL, "%d futexes: at least one is needed", o->futexes);
	if (!ret) {
		fprintf(b->out, "Run summary [PID %d]: %d threads, each operating on %d [%s] "
				"futexes for %d secs.\n\n", getpid(), n, o->futexes, futex_kind(o),
			o->seconds);
		fflush(b->out);
	}
	gang_init(&g);
	for (int i = 0; i < n && !ret; i++) {
		h[i] = (struct hasher){ &g, o, xcalloc((size_t)o->futexes, sizeof(u32)), 0 };
		ret = gang_add(&g, hasher_thread, &h[i], true, err);
	}
	if (!ret)
		us = gang_run(&g, o->seconds);
	gang_release(&g);
	if (!ret) {
		print_threads(b, o, h, n, us);
		futex_print_hash(b, o);
	}
	for (int i = 0; i < n; i++)
		free(h[i].futexes);
	free(h);
	return ret;
}
