// SPDX-License-Identifier: GPL-2.0-or-later
// Allocates and frees at a given rate, and says how many ns of CPU time a pair took, in the fastest
// of five parts.
// heaprate PAIRS WORK: so many turns of a loop between two.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static volatile unsigned long work_done;
static void *volatile kept[64];

static void work(long turns)
{
	unsigned long x = work_done;

	for (long i = 0; i < turns; i++)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	work_done = x;
}

int main(int argc, char **argv)
{
	const long pairs = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
	const long turns = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	double least = 1e18;

	for (int part = 0; part < 5; part++) {
		const long from = now_ns();

		for (long i = 0; i < pairs / 5; i++) {
			free(kept[i & 63]);
			kept[i & 63] = malloc(16 + (i * 37 & 255));
			work(turns);
		}
		const double ns = (double)(now_ns() - from) / (double)(pairs / 5);

		least = ns < least ? ns : least;
	}
	printf("%.1f\n", least);
	return 0;
}
