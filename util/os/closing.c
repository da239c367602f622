// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/os.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Closes every descriptor that is not in the sorted list. */
static void close_others(const int *fds, size_t n)
{
	unsigned from = 0;

	for (size_t i = 0; i < n; i++) {
		if ((unsigned)fds[i] > from)
			syscall(SYS_close_range, from, fds[i] - 1, 0);
		from = fds[i] + 1;
	}
	syscall(SYS_close_range, from, ~0U, 0);
}

static int cmp_int(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void os_close_slow(int *fds, size_t n)
{
	pid_t pid;

	if (!n)
		return;
	qsort(fds, n, sizeof(*fds), cmp_int);
	pid = fork();
	if (pid == 0) {
		/* Last first: a next run opens the same events in the other direction and so
		 * finds them still in use. */
		prctl(PR_SET_NAME, "perf-closing");
		setsid();
		signal(SIGHUP, SIG_IGN);
		if (chdir("/"))
			_exit(1);
		close_others(fds, n);
		for (size_t i = n; i-- > 0; )
			close(fds[i]);
		_exit(0);
	}
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
}
