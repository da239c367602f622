// SPDX-License-Identifier: GPL-2.0-or-later
// Does exactly what it is told: "counted faults 100 getppid 30 writes 5 small 10 forks 3 depth
// 40 wait".
// faults N: page faults in touch_pages(); getppid N: system calls in ask(); writes N, small N:
// write(2) of 4000 bytes and of
// one byte to /dev/null; forks N: children that each do 10 getppid; depth N: the following is
// done below N calls of down();
// wait: prints "ready" and reads a line from standard input; thread: the rest is done by a
// second thread; spin N: N million turns.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void touch_pages(long n)
{
	const long page = sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, (size_t)(n * page), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	madvise((void *)p, (size_t)(n * page), MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i++)
		p[i * page] = 1;
}

static void ask(long n)
{
	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
}

static void write_out(long n, size_t bytes)
{
	static char buf[4000];
	int fd = open("/dev/null", O_WRONLY);

	for (long i = 0; i < n; i++)
		if (write(fd, buf, bytes) < 0)
			exit(2);
	close(fd);
}

static void run_children(long n)
{
	for (long i = 0; i < n; i++) {
		if (!fork()) {
			prctl(PR_SET_NAME, "child");
			ask(10);
			_exit(0);
		}
		wait(NULL);
	}
}

static volatile long sink;

static void spin(long n)
{
	for (long i = 0; i < n * 1000000; i++)
		sink += i;
}

static int down(long depth, char **words);

static void *in_thread(void *words)
{
	prctl(PR_SET_NAME, "second");
	down(0, words);
	return NULL;
}

static int down(long depth, char **words)
{
	char line[16];
	pthread_t t;

	if (depth > 1)
		return down(depth - 1, words) + 1;
	for (char **w = words; *w; w++) {
		const long n = w[1] ? strtol(w[1], NULL, 10) : 0;

		if (!strcmp(*w, "wait")) {
			puts("ready");
			fflush(stdout);
			if (!fgets(line, sizeof(line), stdin))
				exit(3);
			continue;
		}
		if (!strcmp(*w, "thread")) {
			pthread_create(&t, NULL, in_thread, w + 1);
			pthread_join(t, NULL);
			return 0;
		}
		if (!strcmp(*w, "faults"))
			touch_pages(n);
		else if (!strcmp(*w, "getppid"))
			ask(n);
		else if (!strcmp(*w, "writes"))
			write_out(n, 4000);
		else if (!strcmp(*w, "small"))
			write_out(n, 1);
		else if (!strcmp(*w, "forks"))
			run_children(n);
		else if (!strcmp(*w, "spin"))
			spin(n);
		else if (!strcmp(*w, "depth"))
			return down(n, w + 2) + 1;
		else
			exit(4);
		w++;
	}
	return 0;
}

int main(int argc, char **argv)
{
	(void)argc;
	return down(0, argv + 1) < 0;
}
