// SPDX-License-Identifier: GPL-2.0-or-later
// The table of workloads.
#include <errno.h>
#include <string.h>

#include "util/base/num.h"
#include "util/test/workloads-priv.h"

const struct test_workload test_workloads[] = {
	{ "noploop", "[seconds]", "a loop that does nothing, 1 second", run_noploop },
	{ "thloop", "[seconds] [threads]", "threads that spin in test_loop, 1 second and 2 threads",
	  run_thloop },
	{ "named_threads", "[threads] [loops]",
	  "threads thread1, thread2, ... each in a function of its own", run_named_threads },
	{ "leafloop", "[seconds]", "leafloop calls parent, parent calls leaf, which spins",
	  run_leafloop },
	{ "sqrtloop", "[seconds]", "a child process that computes square roots", run_sqrtloop },
	{ "brstack", "[loops]", "calls, returns, conditional and indirect branches, 999,999 times",
	  run_brstack },
	{ "datasym", "[seconds]", "writes two fields of one variable, workload_datasym_buf1",
	  run_datasym },
	{ "landlock", NULL, "two calls of landlock_add_rule that fail", run_landlock },
	{ "traploop", "[loops]", "enters the kernel by traps", run_traploop },
	{ "inlineloop", "[seconds]", "a loop in a function that is inlined into another inlined "
				     "one", run_inlineloop },
	{ "jitdump", NULL,
	  "code made at run time, described in a jitdump file in the current directory",
	  run_jitdump },
	{ "context_switch_loop", "[loops]", "two processes, proc1 and proc2, that wake each other",
	  run_context_switch_loop },
	{ "deterministic", NULL, "straight-line code whose every line runs once",
	  run_deterministic },
	{ "code_with_type", "[seconds]", "reads and writes fields of a struct Buf",
	  run_code_with_type },
	{ NULL, NULL, NULL, NULL }
};

const struct test_workload *test_workload_find(const char *name)
{
	for (const struct test_workload *w = test_workloads; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}

static int most_args(const struct test_workload *w)
{
	int n = 0;

	for (const char *p = w->arguments ? w->arguments : ""; *p; p++)
		n += *p == '[';
	return n;
}

int test_workload_check(const struct test_workload *w, int n, const char **args, struct err *err)
{
	double v;

	if (n > most_args(w)) {
		err_set(err, EINVAL, "workload '%s': '%s' is one argument too many", w->name,
			args[most_args(w)]);
		err_hint(err, "perf test -w %s%s%s", w->name, w->arguments ? " " : "",
			 w->arguments ? w->arguments : "");
		return -EINVAL;
	}
	for (int i = 0; i < n; i++)
		if (!parse_double(args[i], &v) || !(v >= 0 && v <= 1e9)) {
			err_set(err, EINVAL, "workload '%s': '%s' is not a number from 0 to "
					     "1000000000", w->name, args[i]);
			err_hint(err, "perf test -w %s %s", w->name, w->arguments);
			return -EINVAL;
		}
	return 0;
}
