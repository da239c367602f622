// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "util/test/workloads-priv.h"

#define MOST 20

static volatile unsigned count[MOST + 1];
static unsigned long loops;

static void name_task(int i)
{
	char comm[16];

	snprintf(comm, sizeof(comm), "thread%d", i);
	prctl(PR_SET_NAME, comm);
}

/* A function for each thread, so that a sample tells by two ways whose it is. */
#define THREAD(i) \
	static NOINLINE void *named_threads_thread##i(void *arg) \
	{ \
		(void)arg; \
		name_task(i); \
		for (unsigned long l = 0; l < loops; l++) \
			count[i] += (unsigned)l; \
		return NULL; \
	}
#define ALL(X) \
	X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) \
	X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20)
ALL(THREAD)

#define ENTRY(i) named_threads_thread##i,
static void *(*const functions[MOST])(void *) = { ALL(ENTRY) };

int run_named_threads(int n, const char **args, struct err *err)
{
	double n_threads = workload_arg(n, args, 0, 1);
	pthread_t th[MOST];
	int started = 0, code = 0;

	loops = (unsigned long)workload_arg(n, args, 1, 1000000);
	if (n_threads < 1 || n_threads > MOST)
		return err_set(err, EINVAL, "workload 'named_threads': 1 to %d threads", MOST);
	for (; started < (int)n_threads && !code; started += !code)
		code = pthread_create(&th[started], NULL, functions[started], NULL);
	for (int i = 0; i < started; i++)
		pthread_join(th[i], NULL);
	return code ? err_sys(err, code, "workload 'named_threads': cannot start thread%d",
			      started + 1) : 0;
}
