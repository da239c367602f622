// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "util/test/workloads-priv.h"

static volatile sig_atomic_t done;
static volatile unsigned count;

static NOINLINE void test_loop(void)
{
	while (!done)
		__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

static NOINLINE void *thfunc(void *arg)
{
	void (*loop)(void) = arg;

	loop();
	return NULL;
}

int run_thloop(int n, const char **args, struct err *err)
{
	int n_threads = (int)workload_arg(n, args, 1, 2), started = 0, code = 0;
	pthread_t *th = calloc(n_threads > 1 ? (size_t)n_threads : 1, sizeof(*th));

	if (!th)
		return err_sys(err, ENOMEM, "workload 'thloop': %d threads", n_threads);
	workload_stop_after(workload_arg(n, args, 0, 1), &done);
	for (; started < n_threads - 1 && !code; started += !code)
		code = pthread_create(&th[started], NULL, thfunc, test_loop);
	done = done || code;
	test_loop();
	for (int i = 0; i < started; i++)
		pthread_join(th[i], NULL);
	free(th);
	return code ? err_sys(err, code, "workload 'thloop': cannot start thread %d of %d",
			      started + 2, n_threads) : 0;
}
