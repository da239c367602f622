// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads [n_threads] [milliseconds]	(4, 2000)
 * Together the threads burn that much CPU time, each an equal share: 3 parts of 4 in worker ->
 * climb (6 deep, recursive) -> hot, 1 part of 4 in worker -> cold. Shares are measured in the
 * thread's own CPU time, so they hold on a busy machine. The main thread only waits. Threads are
 * called worker-0, worker-1, ...
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

static long cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000L + ts.tv_nsec;
}

static void __attribute__((noinline)) hot(long until_ns)
{
	while (cpu_ns() < until_ns)
		for (int i = 0; i < 20000; i++)
			sink += (unsigned long)i;
}

static void __attribute__((noinline)) cold(long until_ns)
{
	while (cpu_ns() < until_ns)
		for (int i = 0; i < 20000; i++)
			sink ^= (unsigned long)i;
}

static void __attribute__((noinline)) climb(int depth, long until_ns)
{
	if (depth)
		climb(depth - 1, until_ns);
	else
		hot(until_ns);
	sink++;		/* no tail call */
}

static void *worker(void *arg)
{
	long part_ns = *(long *)arg / 40;

	for (int i = 0; i < 10; i++) {
		climb(5, cpu_ns() + 3 * part_ns);
		cold(cpu_ns() + part_ns);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 4;
	long ns = 1000000L * (argc > 2 ? strtol(argv[2], NULL, 10) : 2000);
	pthread_t threads[64];

	if (n < 1 || n > 64 || ns < 1)
		return 1;
	ns /= n;
	for (int i = 0; i < n; i++) {
		char name[16];

		if (pthread_create(&threads[i], NULL, worker, &ns))
			return 1;
		snprintf(name, sizeof(name), "worker-%d", i);
		pthread_setname_np(threads[i], name);
	}
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
