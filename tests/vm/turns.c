// SPDX-License-Identifier: GPL-2.0-or-later
// turns N: a loop of two instructions, N turns in heavy() and N / 3 in light(), which have no frame
// of their own. With argument 2 that many times, and it says the calls that probes must show
// ("heavy n=N", "light n=N"); each time also a getppid, a write of 10 bytes to /dev/null, a nap of
// a millisecond.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

/* The loop does not begin where the function does: a probe there is hit once. */
#define TURN(n) __asm__ volatile("nop\n1: subs %0, %0, #1\n	b.ne 1b" : "+r"(n) : : "cc")

NOINLINE void heavy(long n)
{
	TURN(n);
}

NOINLINE void light(long n)
{
	TURN(n);
}

static NOINLINE void first(long n)
{
	heavy(n);
	__asm__ volatile("" ::: "memory");
}

static NOINLINE void second(long n)
{
	light(n / 3);
	__asm__ volatile("" ::: "memory");
}

static NOINLINE void both(long n)
{
	first(n);
	second(n);
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 3000000;
	long times = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	int fd;

	if (!times) {
		both(n);
		return 0;
	}
	fd = open("/dev/null", O_WRONLY);
	for (long i = 0; i < times; i++) {
		both(n);
		syscall(SYS_getppid);
		if (write(fd, "0123456789", 10) != 10)
			return 1;
		usleep(1000);
		printf("heavy n=%ld\nlight n=%ld\n", n, n / 3);
	}
	return 0;
}
