// SPDX-License-Identifier: GPL-2.0-or-later
// Deep calls in code that uses the frame pointer for something else: sorting, printing, recursion;
// on two threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000 };

static int by_value(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

__attribute__((noinline)) static unsigned long recurse(int depth, unsigned long *sum)
{
	char text[64];

	if (!depth)
		return *sum += (unsigned long)snprintf(text, sizeof(text), "%d %f", depth,
						       (double)*sum);
	*sum += recurse(depth - 1, sum) * 3;
	return *sum ^ (unsigned long)depth;
}

static void *run(void *arg)
{
	int *v = malloc(N * sizeof(*v));
	unsigned long sum = 1;

	for (int k = 0; k < (int)(long)arg; k++) {
		for (int i = 0; i < N; i++)
			v[i] = (int)((sum = sum * 1103515245 + 12345) >> 8);
		qsort(v, N, sizeof(*v), by_value);
		for (int i = 0; i < 300; i++)
			recurse(i % 30, &sum);
	}
	free(v);
	return (void *)sum;
}

int main(int argc, char **argv)
{
	void *const n = (void *)(argc > 1 ? strtol(argv[1], NULL, 10) : 60L);
	pthread_t t;

	if (pthread_create(&t, NULL, run, n))
		return 1;
	run(n);
	return pthread_join(t, NULL);
}
