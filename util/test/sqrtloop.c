// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/test/workloads-priv.h"

static volatile sig_atomic_t done;
static volatile double root;

static NOINLINE void sqrtloop(void)
{
	unsigned x = 1;

	while (!done) {
		x = x * 1103515245 + 12345;
		root = __builtin_sqrt(x);
	}
}

int run_sqrtloop(int n, const char **args, struct err *err)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		return err_sys(err, errno, "workload 'sqrtloop': cannot fork");
	if (!pid) {
		workload_stop_after(workload_arg(n, args, 0, 1), &done);
		sqrtloop();
		_exit(0);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status ? err_set(err, ECHILD, "workload 'sqrtloop': the child was killed") : 0;
}
