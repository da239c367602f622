// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/test/workloads-priv.h"

static volatile unsigned long count;

static NOINLINE void brstack_bar(void)
{
	count++;
}

static NOINLINE void brstack_foo(void)
{
	brstack_bar();		/* a call */
}

/* Conditional branches to itself, a direct call of each, and an indirect call. */
static NOINLINE void brstack_bench(unsigned long i)
{
	void (*volatile indirect)(void) = brstack_foo;

	if (i % 3)
		brstack_bar();
	brstack_foo();
	indirect();
}

static NOINLINE void brstack(unsigned long loops)
{
	for (unsigned long i = 0; i < loops; i++)
		brstack_bench(i);
}

int run_brstack(int n, const char **args, struct err *err)
{
	(void)err;
	brstack((unsigned long)workload_arg(n, args, 0, 999999));
	return 0;
}
