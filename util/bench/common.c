// SPDX-License-Identifier: GPL-2.0-or-later
// What the suites share: how times are written, and threads that begin together.
#include "util/bench/bench-priv.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

u64 bench_now_us(void)
{
	return os_now_ns() / NS_PER_US;
}

void bench_print_total(const struct bench *b, u64 us)
{
	const unsigned long long sec = us / US_PER_SEC, ms = us % US_PER_SEC / 1000;

	if (b->simple)
		fprintf(b->out, "%llu.%03llu\n", sec, ms);
	else
		fprintf(b->out, " %14s: %llu.%03llu [sec]\n", "Total time", sec, ms);
}

void bench_print_ops(const struct bench *b, u64 us, u64 n)
{
	bench_print_total(b, us);
	if (b->simple)
		return;
	fprintf(b->out, "\n %14f usecs/op\n", n ? (double)us / (double)n : 0);
	fprintf(b->out, " %14llu ops/sec\n",
		us ? (unsigned long long)((double)n / ((double)us / US_PER_SEC)) : 0);
}

double bench_rel_error(const struct stat_spread *s)
{
	return s->mean > 0 ? 100 * stat_spread_error(s) / s->mean : 0;
}

void bench_child_end(int status)
{
	_exit(status);
}

bool bench_child_wait(pid_t pid)
{
	int status;
	pid_t ended;

	do {
		ended = waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	return ended == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

int bench_threads(const struct bench *b, int n)
{
	int_vec cpus = { 0 };

	if (!n) {
		n = os_online_cpus(b->os, &cpus, NULL) ? 1 : (int)cpus.n;
		vec_free(&cpus);
	}
	return n;
}

/* ---- threads ---- */

void gang_init(struct gang *g)
{
	*g = (struct gang){ 0 };
	pthread_mutex_init(&g->lock, NULL);
	pthread_cond_init(&g->all_wait, NULL);
	pthread_cond_init(&g->may_go, NULL);
}

/* Where the i-th thread runs: on the CPUs that perf may use, in turn. */
static void pin_to(pthread_attr_t *attr, unsigned i)
{
	cpu_set_t may, one;
	unsigned n, at = 0;

	if (sched_getaffinity(0, sizeof(may), &may) || !(n = (unsigned)CPU_COUNT(&may)))
		return;
	for (i %= n; at < CPU_SETSIZE; at++)
		if (CPU_ISSET(at, &may) && !i--)
			break;
	CPU_ZERO(&one);
	CPU_SET(at, &one);
	pthread_attr_setaffinity_np(attr, sizeof(one), &one);
}

int gang_add(struct gang *g, void *(*fn)(void *), void *arg, bool pin, struct err *err)
{
	pthread_attr_t attr;
	int code;

	pthread_attr_init(&attr);
	if (pin)
		pin_to(&attr, g->n);
	g->threads = xreallocarray(g->threads, g->n + 1, sizeof(*g->threads));
	code = pthread_create(&g->threads[g->n], &attr, fn, arg);
	pthread_attr_destroy(&attr);
	if (code)
		return err_sys(err, code, "cannot start thread %u", g->n + 1);
	g->n++;
	return 0;
}

void gang_wait(struct gang *g)
{
	pthread_mutex_lock(&g->lock);
	g->waiting++;
	pthread_cond_signal(&g->all_wait);
	while (!g->going)
		pthread_cond_wait(&g->may_go, &g->lock);
	pthread_mutex_unlock(&g->lock);
}

static void let_go(struct gang *g)
{
	g->going = true;
	pthread_cond_broadcast(&g->may_go);
	pthread_mutex_unlock(&g->lock);
}

void gang_go(struct gang *g)
{
	pthread_mutex_lock(&g->lock);
	while (g->waiting < g->n)
		pthread_cond_wait(&g->all_wait, &g->lock);
	let_go(g);
}

u64 gang_run(struct gang *g, int seconds)
{
	struct timespec left = { .tv_sec = seconds };
	sigset_t ends, before;
	siginfo_t info;
	u64 from;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	pthread_sigmask(SIG_BLOCK, &ends, &before);
	gang_go(g);
	from = bench_now_us();
	sigtimedwait(&ends, &info, &left);
	__atomic_store_n(&g->done, true, __ATOMIC_RELAXED);
	from = bench_now_us() - from;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return from;
}

void gang_release(struct gang *g)
{
	__atomic_store_n(&g->done, true, __ATOMIC_RELAXED);
	pthread_mutex_lock(&g->lock);
	let_go(g);
	for (unsigned i = 0; i < g->n; i++)
		pthread_join(g->threads[i], NULL);
	free(g->threads);
	pthread_mutex_destroy(&g->lock);
	pthread_cond_destroy(&g->all_wait);
	pthread_cond_destroy(&g->may_go);
}
