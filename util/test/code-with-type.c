// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/test/workloads-priv.h"

struct Buf {
	unsigned long data1;
	unsigned char pad[48];
	unsigned long data2;
};

static volatile sig_atomic_t done;

static NOINLINE void code_with_type(volatile struct Buf *buf)
{
	while (!done) {
		buf->data1++;
		if (buf->data1 == 123)
			buf->data1 = 0;
		buf->data2 += buf->data1;
	}
}

int run_code_with_type(int n, const char **args, struct err *err)
{
	struct Buf buf = { .data1 = 1 };

	(void)err;
	workload_stop_after(workload_arg(n, args, 0, 1), &done);
	code_with_type(&buf);
	return 0;
}
