// SPDX-License-Identifier: GPL-2.0-or-later
// Processes that are only forked allocate known sums, after their parents have ended, and print
// them: FUNCTION LIVE PEAK ALLOCATED FREED TIMES.
// heapforks CHILDREN MS: what a process does, it does so many ms after it began.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile kept[300];

static void parent(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = malloc(100);
}

static void child(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = malloc(300);
}

static void grandchild(void)
{
	for (int i = 0; i < 100; i++)
		free(kept[i]);			/* what its parent has, still */
	for (int i = 0; i < 50; i++)
		kept[i] = malloc(700);
}

static void wait_ms(int ms)
{
	usleep(1000 * (unsigned)ms);
}

/* Its parent ends at once; so does it, before its own child begins. */
static void orphan(int ms)
{
	if (fork())
		_exit(0);
	wait_ms(ms);
	child();
	if (fork())
		_exit(0);
	wait_ms(ms);
	grandchild();
	_exit(0);
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
	const int ms = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
	int ends[2];
	char c;

	if (pipe(ends))
		return 1;
	wait_ms(ms);
	parent();
	for (int i = 0; i < n; i++)
		if (!fork())
			orphan(ms);
	while (wait(NULL) > 0)
		;
	close(ends[1]);
	if (read(ends[0], &c, 1))		/* the last of them has ended */
		return 1;
	printf("parent 10000 10000 10000 0 100\n");
	/* of one: when the grandchild has all, the child has ended */
	printf("child %d 0 %d 0 %d\n", 30000 * n, 30000 * n, 100 * n);
	printf("grandchild %d %d %d 0 %d\n", 35000 * n, 35000 * n, 35000 * n, 50 * n);
	return 0;
}
