// SPDX-License-Identifier: GPL-2.0-or-later
// Work at the end of stacks through other things than ordinary calls: the vdso, stubs of the PLT
// that are bound late, a
// child of clone(2) on a stack of its own. Argument 1: rounds. -DBARE: a program without a C
// library, for machines that can
// run 32-bit programs but have none for them: recursion from a start that has no unwind tables.
#define NOINLINE __attribute__((noinline))

#ifdef BARE

static volatile unsigned sink;

static NOINLINE unsigned spin(unsigned n)
{
	unsigned a = n;

	for (unsigned i = 0; i < n; i++)
		a = a * 1103515245u + 12345u + (a >> 3);
	sink += a;
	return a;
}

static NOINLINE unsigned recurse(unsigned depth, unsigned n)
{
	unsigned v = depth ? recurse(depth - 1, n) : spin(n);

	return v + sink;
}

int bare_main(void);
int bare_main(void)
{
	for (unsigned i = 0; i < 60; i++)
		sink += recurse(i, 1000000);
	return 0;
}

__asm__(".text\n.globl _start\n.type _start,@function\n_start:\n"
	"	call bare_main\n	mov $1,%eax\n	xor %ebx,%ebx\n	int $0x80\n"
	".size _start, .-_start\n");

#else

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static NOINLINE unsigned long ask_time(unsigned long n)
{
	struct timespec ts = { 0, 0 };

	for (unsigned long i = 0; i < n; i++) {
		clock_gettime(CLOCK_MONOTONIC, &ts);
		sink += (unsigned long)ts.tv_nsec;
	}
	return (unsigned long)ts.tv_sec;
}

static NOINLINE unsigned long by_stubs(unsigned long n)
{
	long v = 0;

	for (unsigned long i = 0; i < n; i++)
		v += labs((long)i - 77) + llabs((long long)v);
	sink += (unsigned long)v;
	return (unsigned long)v;
}

static NOINLINE unsigned long recurse(int depth, unsigned long n)
{
	unsigned long v = depth ? recurse(depth - 1, n) : ask_time(n) + by_stubs(n * 10);

	return v + sink;
}

static int in_child(void *arg)
{
	sink += recurse(9, *(unsigned long *)arg);
	return 0;
}

int main(int argc, char **argv)
{
	static char stack[65536] __attribute__((aligned(16)));
	unsigned long n = 2000;
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 0) : 1;

	for (int i = 0; i < rounds; i++) {
		sink += recurse(12, n);
		if (clone(in_child, stack + sizeof(stack), CLONE_VM | CLONE_FS | CLONE_FILES |
			  SIGCHLD, &n) > 0)
			wait(NULL);
	}
	return 0;
}
#endif
