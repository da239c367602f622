// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calltree [ROUNDS]: main -> outer -> inner_a and inner_b -> leaf, which does all the work; three
 * quarters of it below inner_a. Built with frame pointers: chains need no debug information.
 */
#include <stdlib.h>

#define ROUNDS 4000

#define CODE __attribute__((noinline, optimize("no-omit-frame-pointer", \
						"no-optimize-sibling-calls")))

static volatile unsigned long sum;

CODE void nothing(void) { __asm__ volatile("" ::: "memory"); }

/* It calls something, or it would have no frame of its own. */
CODE void leaf(unsigned n)
{
	while (n--)
		sum += n;
	nothing();
	__asm__ volatile("" ::: "memory");
}

CODE void inner_a(void)
{
	leaf(30000);
	__asm__ volatile("" ::: "memory");
}

CODE void inner_b(void)
{
	leaf(10000);
	__asm__ volatile("" ::: "memory");
}

CODE void outer(void)
{
	inner_a();
	inner_b();
	__asm__ volatile("" ::: "memory");
}

CODE int main(int argc, char **argv)
{
	for (int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : ROUNDS; n > 0; n--)
		outer();
	return 0;
}
