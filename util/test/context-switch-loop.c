// SPDX-License-Identifier: GPL-2.0-or-later
// Two processes hand a byte to and fro: each turn is two switches where both run on one CPU.
#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/test/workloads-priv.h"

static volatile unsigned work;

/* false: the other one is gone */
static NOINLINE bool context_switch_loop_proc1(int in, int out)
{
	char c = 0;

	for (int i = 0; i < 1000; i++)
		work++;
	return write(out, &c, 1) == 1 && read(in, &c, 1) == 1;
}

static NOINLINE bool context_switch_loop_proc2(int in, int out)
{
	char c = 0;

	if (read(in, &c, 1) != 1)
		return false;
	for (int i = 0; i < 1000; i++)
		work++;
	return write(out, &c, 1) == 1;
}

int run_context_switch_loop(int n, const char **args, struct err *err)
{
	unsigned long loops = (unsigned long)workload_arg(n, args, 0, 100);
	int to[2], from[2], status = 0;
	pid_t pid;

	if (pipe(to) || pipe(from) || (pid = fork()) < 0)
		return err_sys(err, errno, "workload 'context_switch_loop': cannot make the "
					   "processes");
	if (!pid) {
		close(to[1]);
		prctl(PR_SET_NAME, "proc2");
		while (context_switch_loop_proc2(to[0], from[1]))
			;
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	prctl(PR_SET_NAME, "proc1");
	while (loops-- && context_switch_loop_proc1(from[0], to[1]))
		;
	close(to[1]);
	waitpid(pid, &status, 0);
	return status ? err_set(err, ECHILD, "workload 'context_switch_loop': proc2 was killed") :
		0;
}
