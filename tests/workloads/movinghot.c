// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * movinghot SECONDS [ROUNDS]: hot_0, hot_1 and hot_2 use SECONDS of CPU time each, one after the
 * other, ROUNDS times (1). It begins when a line comes on its standard input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

static double cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Asked for rarely: nearly all of the time is in the function itself. */
#define HOT(name) \
	static __attribute__((noinline)) void name(double seconds) \
	{ \
		const double end = cpu_s() + seconds; \
		while (cpu_s() < end) \
			for (int i = 0; i < 3000000; i++) \
				sink = sink * 31 + i; \
	}
HOT(hot_0)
HOT(hot_1)
HOT(hot_2)

int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? strtod(argv[1], NULL) : 2;
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;
	char line[16];

	if (!fgets(line, sizeof(line), stdin))
		return 2;
	while (rounds--) {
		hot_0(seconds);
		hot_1(seconds);
		hot_2(seconds);
	}
	return 0;
}
