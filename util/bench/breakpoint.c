// SPDX-License-Identifier: GPL-2.0-or-later
// breakpoint: what hardware breakpoints cost threads that begin and end, and what switching one on
// and off costs.
#include "util/bench/bench-priv.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/os/event-fd.h"

static int open_breakpoint(const struct bench *b, const void *at, struct err *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT, .size = sizeof(attr), .inherit = 1,
		.exclude_kernel = 1, .exclude_hv = 1, .bp_addr = (u64)(uintptr_t)at,
		.bp_type = HW_BREAKPOINT_RW, .bp_len = HW_BREAKPOINT_LEN_1,
	};
	int fd = b->os->perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		return fd;
	err_sys(err, -fd, "cannot set a breakpoint");
	if (fd == -ENOSPC || fd == -ENODEV || fd == -EOPNOTSUPP || fd == -ENOENT)
		err_hint(err, "CPUs have few of them (x86: 4), or none in virtual machines; "
			      "debuggers take them away");
	return fd;
}

/* ---- thread ---- */

struct maker { struct gang *g; int rounds, threads, code; };

static void *do_nothing(void *arg)
{
	return arg;
}

static void *maker_thread(void *arg)
{
	struct maker *m = arg;
	pthread_t *th = xcalloc((size_t)m->threads + 1, sizeof(*th));

	gang_wait(m->g);
	for (int i = 0; i < m->rounds && !m->code; i++) {
		int n = 0;

		for (; n < m->threads && !m->code; n += !m->code)
			m->code = pthread_create(&th[n], NULL, do_nothing, NULL);
		while (n--)
			pthread_join(th[n], NULL);
	}
	free(th);
	return NULL;
}

static int run_makers(const struct bench *b, const struct bench_breakpoint_opts *o, u64 *us,
		      struct err *err)
{
	struct maker *m = xcalloc((size_t)o->parallelism, sizeof(*m));
	struct gang g;
	int ret = 0;

	gang_init(&g);
	*us = bench_now_us();
	for (int i = 0; i < o->parallelism && !ret; i++) {
		m[i] = (struct maker){ &g, b->repeat, o->threads / o->parallelism, 0 };
		ret = gang_add(&g, maker_thread, &m[i], false, err);
	}
	gang_release(&g);
	*us = bench_now_us() - *us;
	for (int i = 0; i < o->parallelism && !ret; i++)
		if (m[i].code)
			ret = err_sys(err, m[i].code, "cannot start a thread");
	free(m);
	return ret;
}

int bench_breakpoint_thread(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_breakpoint_opts *o = opts;
	int *fds = xcalloc((size_t)MAX(o->breakpoints, 0) + 1, sizeof(*fds)), n = 0, ret = 0;
	char *watched = xzalloc((size_t)MAX(o->breakpoints, 0) + 1);
	double each;
	u64 us = 0;

	if (o->parallelism < 1 || o->threads < 1)
		ret = err_set(err, EINVAL, "at least one thread is needed (-p, -t)");
	for (; n < o->breakpoints && !ret; n += !ret) {
		fds[n] = open_breakpoint(b, &watched[n], err);
		ret = fds[n] < 0 ? fds[n] : 0;
	}
	ret = ret ? ret : run_makers(b, o, &us, err);
	while (n--)
		close(fds[n]);
	free(fds);
	free(watched);
	if (ret)
		return ret;
	if (!b->simple)
		fprintf(b->out, "# Created/joined %d threads with %d breakpoints and %d "
				"parallelism\n", b->repeat, o->breakpoints, o->parallelism);
	bench_print_total(b, us);
	each = (double)us / b->repeat / o->threads;
	if (!b->simple)
		fprintf(b->out, "\n %14f usecs/op\n %14f usecs/op/cpu\n", each,
			each * o->parallelism);
	return 0;
}

/* ---- enable ---- */

struct sleeper { struct gang *g; pthread_mutex_t *held; bool active; };

/* A thread that the breakpoint is also for: one that runs, or one that sleeps until the end. */
static void *sleeper_thread(void *arg)
{
	const struct sleeper *s = arg;

	gang_wait(s->g);
	while (s->active && !gang_done(s->g))
		;
	pthread_mutex_lock(s->held);
	pthread_mutex_unlock(s->held);
	return NULL;
}

static int switch_often(const struct bench *b, int fd, u64 *us, struct err *err)
{
	int ret = 0;

	*us = bench_now_us();
	for (int i = 0; i < b->repeat && !ret; i++) {
		ret = event_fd_enable(fd, false);
		ret = ret ? ret : event_fd_enable(fd, true);
	}
	*us = bench_now_us() - *us;
	return ret ? err_sys(err, -ret, "cannot switch a breakpoint on and off") : 0;
}

int bench_breakpoint_enable(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_breakpoint_opts *o = opts;
	pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
	struct gang g;
	struct sleeper kinds[] = { { &g, &held, false }, { &g, &held, true } };
	char watched = 0;
	int fd = open_breakpoint(b, &watched, err), ret = fd < 0 ? fd : 0;
	u64 us = 0;

	if (ret)
		return ret;
	gang_init(&g);
	pthread_mutex_lock(&held);
	for (int i = 0; i < o->passive + o->active && !ret; i++)
		ret = gang_add(&g, sleeper_thread, &kinds[i >= o->passive], false, err);
	if (!ret) {
		gang_go(&g);
		ret = switch_often(b, fd, &us, err);
	}
	pthread_mutex_unlock(&held);
	gang_release(&g);
	close(fd);
	if (ret)
		return ret;
	if (!b->simple)
		fprintf(b->out, "# Enabled/disabled breakpoint %d time with %d passive and %d "
				"active threads\n", b->repeat, o->passive, o->active);
	bench_print_total(b, us);
	if (!b->simple)
		fprintf(b->out, "\n %14f usecs/op\n", (double)us / b->repeat);
	return 0;
}
