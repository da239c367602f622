/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Until the process sleeps in the kernel. Its calls are pread64 and clock_nanosleep, as often as
 * it takes. */
static void wait_asleep(pid_t pid)
{
	char path[64], buf[256];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY);
	for (;;) {
		ssize_t n = pread(fd, buf, sizeof(buf) - 1, 0);
		char *p;

		if (n <= 0)
			break;
		buf[n] = 0;
		p = strrchr(buf, ')');
		if (p && p[2] == 'S')
			break;
		usleep(1000);
	}
	close(fd);
}
