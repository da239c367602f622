// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charged PAGES SLEEPS [READY GO]: tells by the file READY that it is there, waits for a byte from
 * the fifo GO, touches PAGES fresh pages, sleeps SLEEPS times, and prints what the kernel charged
 * it with for that: "faults N switches M".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static volatile char sink;

static void touch_pages(long n, long page)
{
	char *p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	madvise(p, n * page, MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i++)
		p[i * page] = 1;
	sink = p[0];
}

int main(int argc, char **argv)
{
	struct timespec ms = { 0, 1000000 };
	struct rusage a, b;
	char c;
	int fd;

	if (argc != 3 && argc != 5)
		return 2;
	printf(" ");		/* stdio is set up before counting starts */
	fflush(stdout);
	getrusage(RUSAGE_SELF, &a);
	nanosleep(&ms, NULL);
	if (argc == 5) {
		fd = open(argv[3], O_WRONLY | O_CREAT, 0600);
		close(fd);
		fd = open(argv[4], O_RDONLY);
		if (fd < 0 || read(fd, &c, 1) != 1)
			return 2;
	}
	getrusage(RUSAGE_SELF, &a);
	touch_pages(strtol(argv[1], NULL, 10), sysconf(_SC_PAGESIZE));
	for (long i = strtol(argv[2], NULL, 10); i > 0; i--)
		nanosleep(&ms, NULL);
	getrusage(RUSAGE_SELF, &b);
	printf("faults %ld switches %ld\n", b.ru_minflt + b.ru_majflt - a.ru_minflt - a.ru_majflt,
	       b.ru_nvcsw + b.ru_nivcsw - a.ru_nvcsw - a.ru_nivcsw);
	return 0;
}
