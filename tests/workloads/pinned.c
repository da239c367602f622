// SPDX-License-Identifier: GPL-2.0-or-later
// pinned CPU SECONDS [CALLS]: uses that much CPU time on that CPU, then calls getppid so often.

#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int __attribute__((noinline)) spin(double s)
{
	struct timespec a, b;
	volatile int n = 0;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	do {
		for (int i = 0; i < 10000; i++)
			n++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	} while ((double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9 < s);
	return n;
}

int main(int argc, char **argv)
{
	cpu_set_t set;

	if (argc < 3)
		return 2;
	CPU_ZERO(&set);
	CPU_SET((int)strtol(argv[1], NULL, 10), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	spin(strtod(argv[2], NULL));
	for (int i = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0; i; i--)
		getppid();
	return 0;
}
