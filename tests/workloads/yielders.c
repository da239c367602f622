// SPDX-License-Identifier: GPL-2.0-or-later
// yielders N SECONDS: so many threads that are all runnable, and yield all the time.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static volatile int stop;

static void *yields(void *arg)
{
	while (!stop)
		sched_yield();
	return arg;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
	struct timespec t = { argc > 2 ? strtol(argv[2], NULL, 10) : 1, 0 };
	pthread_t *threads = calloc((size_t)n, sizeof(*threads));
	pthread_attr_t attr;

	if (!threads || pthread_attr_init(&attr) || pthread_attr_setstacksize(&attr, 65536))
		return 1;
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], &attr, yields, NULL))
			return 1;
	nanosleep(&t, NULL);
	stop = 1;
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
