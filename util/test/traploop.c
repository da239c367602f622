// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/test/workloads-priv.h"

#if defined(__aarch64__)
/* EL0 cannot read it: the kernel does it for the program. */
static NOINLINE void trap_bench(void)
{
	unsigned long v;

	__asm__ volatile("mrs %0, ID_AA64ISAR0_EL1" : "=r"(v));
}
#else
static void next(int sig)
{
	(void)sig;
}

static NOINLINE void trap_bench(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("int3");
#else
	raise(SIGTRAP);
#endif
}
#endif

int run_traploop(int n, const char **args, struct err *err)
{
	unsigned long loops = (unsigned long)workload_arg(n, args, 0, 10000);

	(void)err;
#if !defined(__aarch64__)
	signal(SIGTRAP, next);
#endif
	for (unsigned long i = 0; i < loops; i++)
		trap_bench();
	return 0;
}
