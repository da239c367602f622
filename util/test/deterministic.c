// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Upstream's tests know these lines by their numbers: a decoder of hardware trace must tell 24-26,
 * 9-11, 30-32, 16-18.
 */
#include "util/test/workloads-priv.h"
static volatile int a, b;

static NOINLINE void function1(void) {
	a = 1;
	a++;
	b = a;
}


static NOINLINE void function2(void) {
	a = 10;
	a--;
	b += a;
}



static NOINLINE void deterministic(void) {
	a = 0;
	b = 0;
	a += b;

	function1();

	a = 5;
	b = 6;
	b += a;

	function2();

}

int run_deterministic(int n, const char **args, struct err *err)
{
	(void)n;
	(void)args;
	(void)err;
	deterministic();
	return 0;
}
