/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_WORKLOADS_H
#define TEST_WORKLOADS_H
/*
 * Small programs inside perf with a known profile, for tests of recording and reporting: perf test
 * -w NAME [arguments]. One file a workload and one line in the table. They are compiled without
 * optimization, so that each function that is named here has its symbol and its frame, and the
 * names are those that upstream perf's own tests look for.
 */
#include "util/base/err.h"

struct test_workload {
	const char *name;
	const char *arguments;	/* as shown to users; NULL: takes none */
	const char *help;	/* one line */
	/* Runs in the foreground until it is done. args: decimal numbers as texts, NULL-ended. 0
	 * or -errno. */
	int (*run)(int n, const char **args, struct err *err);
};

extern const struct test_workload test_workloads[];	/* ended by a name of NULL */

/* NULL: there is none of this name. */
const struct test_workload *test_workload_find(const char *name);
/* Whether args are numbers in the range that workloads take (0 to 10^9, fractions too) and not
 * more than it has. */
int test_workload_check(const struct test_workload *w, int n, const char **args, struct err *err);

#endif
