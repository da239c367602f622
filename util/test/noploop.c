// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/test/workloads-priv.h"

static volatile sig_atomic_t done;

static NOINLINE void noploop(void)
{
	while (!done)
		;
}

int run_noploop(int n, const char **args, struct err *err)
{
	(void)err;
	workload_name_task("noploop");
	workload_stop_after(workload_arg(n, args, 0, 1), &done);
	noploop();
	return 0;
}
