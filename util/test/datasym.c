// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>

#include "util/test/workloads-priv.h"

/* Two fields in one cache line, at 0 and 0x38: memory samples must tell these addresses and no
 * other. */
struct buf {
	char data1;
	char reserved[55];
	char data2;
} __attribute__((aligned(64)));
_Static_assert(offsetof(struct buf, data2) == 0x38, "where samples are expected");

static volatile struct buf workload_datasym_buf1 = { .data1 = 1 };
static volatile sig_atomic_t done;

static NOINLINE void datasym(void)
{
	while (!done) {
		workload_datasym_buf1.data1++;
		if (workload_datasym_buf1.data1 == 123)
			workload_datasym_buf1.data1 = 0;
		workload_datasym_buf1.data2 += workload_datasym_buf1.data1;
	}
}

int run_datasym(int n, const char **args, struct err *err)
{
	(void)err;
	workload_stop_after(workload_arg(n, args, 0, 1), &done);
	datasym();
	return 0;
}
