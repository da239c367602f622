// SPDX-License-Identifier: GPL-2.0-or-later
// syscall: what a system call costs.
#include "util/bench/bench-priv.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

#define MANY 10000000	/* of those that take less than a microsecond */
#define FEW 10000	/* of those that make processes */

struct call { const char *name; int loops; int (*run)(void); };

static int call_getppid(void)
{
	getppid();
	return 0;
}

static int call_getpgid(void)
{
	return getpgid(0) < 0 ? -1 : 0;
}

static int call_fork(void)
{
	const pid_t pid = fork();

	if (!pid)
		bench_child_end(0);
	return pid < 0 || !bench_child_wait(pid) ? -1 : 0;
}

static int call_execve(void)
{
	const pid_t pid = fork();

	if (!pid) {
		char path[] = "/bin/true", *const argv[] = { path, NULL };

		execve(path, argv, environ);
		bench_child_end(1);
	}
	return pid < 0 || !bench_child_wait(pid) ? -1 : 0;
}

static int run_calls(struct bench *b, const struct bench_syscall_opts *o, const struct call *c,
		     struct err *err)
{
	const int n = o->loops ? o->loops : c->loops;
	u64 us;

	fflush(b->out);
	us = bench_now_us();
	for (int i = 0; i < n; i++)
		if (c->run())
			return err_sys(err, errno, "%s() call %d", c->name, i + 1);
	us = bench_now_us() - us;
	if (!b->simple)
		fprintf(b->out, "# Executed %d %s() calls\n", n, c->name);
	bench_print_ops(b, us, (u64)n);
	return 0;
}

int bench_syscall_basic(struct bench *b, const void *opts, struct err *err)
{
	return run_calls(b, opts, &(struct call){ "getppid", MANY, call_getppid }, err);
}

int bench_syscall_getpgid(struct bench *b, const void *opts, struct err *err)
{
	return run_calls(b, opts, &(struct call){ "getpgid", MANY, call_getpgid }, err);
}

int bench_syscall_fork(struct bench *b, const void *opts, struct err *err)
{
	return run_calls(b, opts, &(struct call){ "fork", FEW, call_fork }, err);
}

int bench_syscall_execve(struct bench *b, const void *opts, struct err *err)
{
	return run_calls(b, opts, &(struct call){ "execve", FEW, call_execve }, err);
}
