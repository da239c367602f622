// SPDX-License-Identifier: GPL-2.0-or-later
// Allocates known sums from known functions, and prints them: FUNCTION LIVE PEAK ALLOCATED FREED
// TIMES. The peak is in peak().
// heaps [TIMES [MS]]: churn() is done so many times, all after so many ms, as is the end.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile kept[4096];

static void leak(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = malloc(1000);
}

static void peak(void)
{
	for (int i = 0; i < 10; i++)
		kept[1000 + i] = calloc(10, 100000);
	for (int i = 0; i < 10; i++)
		free(kept[1000 + i]);
}

static void churn(long times)
{
	for (long i = 0; i < times; i++) {
		void *volatile p = malloc(64);

		free(p);
	}
}

static void grow(void)
{
	void *p = malloc(100);

	for (size_t n = 200; n <= 102400; n *= 2) {
		void *more = realloc(p, n);

		if (!more)
			exit(1);
		p = more;
	}
	free(p);
}

/* From nothing, and to nothing. */
static void edges(void)
{
	void *volatile p = realloc(NULL, 777);
	void *volatile none = NULL;

	p = realloc(p, 1777);
	free(p);
	free(none);
}

static void aligned(void)
{
	void *p = NULL;

	if (posix_memalign(&p, 64, 5000))
		exit(1);
	free(p);
	kept[2000] = aligned_alloc(64, 6400);
	free(kept[2000]);
	kept[2000] = memalign(32, 70);
	free(kept[2000]);
	kept[2000] = memalign(8, 30);		/* the same as malloc in glibc */
	free(kept[2000]);
	kept[2000] = valloc(4000);
	free(kept[2000]);
}

/* None of these is an allocation. */
static void fails(void)
{
	volatile size_t most = (size_t)-1 / 4;

	kept[2001] = malloc(most);
	kept[2002] = calloc(most, 16);
	kept[2003] = malloc(500);
	if (realloc(kept[2003], most))
		exit(1);
	free(kept[2003]);
}

int main(int argc, char **argv)
{
	const long times = argc > 1 ? strtol(argv[1], NULL, 10) : 10000;

	if (argc > 2)
		usleep(1000 * (unsigned)strtol(argv[2], NULL, 10));
	leak();
	peak();
	churn(times);
	grow();
	edges();
	aligned();
	fails();
	if (argc > 2)
		usleep(1000 * (unsigned)strtol(argv[2], NULL, 10));
	printf("leak 100000 100000 100000 0 100\n");
	printf("peak 0 10000000 10000000 10000000 10\n");
	printf("churn 0 0 %ld %ld %ld\n", 64 * times, 64 * times, times);
	printf("grow 0 0 204700 204700 11\n");
	printf("edges 0 0 2554 2554 2\n");
	printf("aligned 0 0 15500 15500 5\n");
	printf("fails 0 0 500 500 1\n");
	return 0;
}
