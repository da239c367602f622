// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples fall into leaf(), inlined into middle(), inlined into parent(). Upstream's tests know the
 * code of the first two by line numbers from 20 to 29, and the call in parent() by one from 30 to
 * 39.
 */
#include <stddef.h>

#include "util/test/workloads-priv.h"

#define INLINE static inline __attribute__((always_inline))

static volatile sig_atomic_t done;
static volatile unsigned a;




INLINE void leaf(unsigned b)
{
	while (!done)
		a += b;
}

INLINE void middle(unsigned b)
{
	leaf(b);
}

static NOINLINE void parent(unsigned b)
{
	middle(b);
	a = 0;
}

int run_inlineloop(int n, const char **args, struct err *err)
{
	(void)err;
	workload_name_task("inlineloop");
	workload_stop_after(workload_arg(n, args, 0, 1), &done);
	parent(1);
	return 0;
}
