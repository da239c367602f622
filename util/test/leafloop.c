// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/test/workloads-priv.h"

static volatile sig_atomic_t done;
static volatile int a;

static NOINLINE void leaf(int b)
{
	while (!done)
		a += b;
}

static NOINLINE void parent(int b)
{
	leaf(b);
	a = 0;		/* no tail call: the frame stays */
}

static NOINLINE void leafloop(void)
{
	parent(1);
	a = 1;
}

int run_leafloop(int n, const char **args, struct err *err)
{
	(void)err;
	workload_stop_after(workload_arg(n, args, 0, 1), &done);
	leafloop();
	return 0;
}
