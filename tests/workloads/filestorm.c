// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * filestorm SECONDS: processes that come and go, each of a file of its own, as a build's probes
 * are: copies of this program in the working directory. Prints how many there were.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int copy(const char *to)
{
	const int in = open("/proc/self/exe", O_RDONLY);
	const int out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0700);
	struct stat st;
	const int ret = in < 0 || out < 0 || fstat(in, &st) ||
		sendfile(out, in, NULL, (size_t)st.st_size) != st.st_size;

	close(in);
	return close(out) || ret;
}

int main(int argc, char **argv)
{
	const double end = now() + strtod(argv[argc - 1], NULL);
	unsigned n = 0;

	if (argc > 2)		/* a copy */
		return 0;
	for (; now() < end; n++) {
		char path[64];
		pid_t pid;

		snprintf(path, sizeof(path), "./storm.%d.%u", (int)getpid(), n);
		if (copy(path))
			return 1;
		pid = vfork();
		if (!pid) {
			execl(path, path, "a", "copy", NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
		unlink(path);
	}
	printf("%u\n", n);
	return 0;
}
