// SPDX-License-Identifier: GPL-2.0-or-later
// futex lock-pi: threads that lock a futex with priority inheritance, sleep, and unlock it.
#include "util/bench/futex-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct locker {
	struct gang *g;
	const struct bench_futex_opts *o;
	u32 *word, own;
	u64 n;
	int code;
};

static void *locker_thread(void *arg)
{
	struct locker *l = arg;

	gang_wait(l->g);
	while (!gang_done(l->g) && !l->code) {
		while (futex_lock_pi(l->word, l->o->shared))
			if (errno != EINTR && errno != EAGAIN) {
				l->code = errno;
				return NULL;
			}
		usleep(1);
		l->code = futex_unlock_pi(l->word, l->o->shared) ? errno : 0;
		l->n++;
	}
	return NULL;
}

static void print_threads(const struct bench *b, const struct bench_futex_opts *o,
			  const struct locker *l, int n, u64 us)
{
	struct stat_spread spread = { 0 };

	for (int i = 0; i < n; i++) {
		const u64 rate = us >= 1000 ? (u64)((double)l[i].n * US_PER_SEC / (double)us) : 0;

		stat_spread_add(&spread, (double)rate);
		if (!o->silent)
			fprintf(b->out, "[thread %3d] futex: %p [ %llu ops/sec ]\n", i,
				(void *)l[i].word, (unsigned long long)rate);
	}
	fprintf(b->out, "%sAveraged %llu operations/sec (+- %.2f%%), total secs = %d\n",
		o->silent ? "" : "\n", (unsigned long long)spread.mean, bench_rel_error(&spread),
		(int)(us / US_PER_SEC));
}

int bench_futex_lock_pi(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_futex_opts *o = opts;
	const int n = bench_threads(b, o->threads);
	struct locker *l = xcalloc((size_t)n, sizeof(*l));
	int ret = futex_prepare(o, err);
	struct gang g;
	u32 word = 0;
	u64 us = 0;

	if (!ret) {
		fprintf(b->out, "Run summary [PID %d]: %d threads doing pi lock/unlock pairing for "
				"%d secs.\n\n", getpid(), n, o->seconds);
		fflush(b->out);
	}
	gang_init(&g);
	for (int i = 0; i < n && !ret; i++) {
		l[i].g = &g;
		l[i].o = o;
		l[i].word = o->multi ? &l[i].own : &word;
		ret = gang_add(&g, locker_thread, &l[i], true, err);
	}
	if (!ret)
		us = gang_run(&g, o->seconds);
	gang_release(&g);
	for (int i = 0; i < n && !ret; i++)
		if (l[i].code)
			ret = err_sys(err, l[i].code, "thread %d cannot lock its PI futex", i);
	if (!ret) {
		print_threads(b, o, l, n, us);
		futex_print_hash(b, o);
	}
	free(l);
	return ret;
}
