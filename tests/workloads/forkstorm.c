// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forkstorm SECONDS: makes processes that end at once, one after the other; each tenth runs itself
 * again before. Prints how many there were.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void child(unsigned long n, char *self)
{
	if (n % 10 == 0)
		execl(self, self, NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	unsigned long n = 0;
	double end;

	if (argc < 2)		/* one that was run again */
		return 0;
	end = now_s() + strtod(argv[1], NULL);
	while (now_s() < end) {
		const pid_t pid = fork();

		if (!pid)
			child(n, argv[0]);
		if (pid < 0)
			return 1;
		waitpid(pid, NULL, 0);
		n++;
	}
	printf("%lu\n", n);
	return 0;
}
