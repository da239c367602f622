/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BENCH_BENCH_PRIV_H
#define BENCH_BENCH_PRIV_H
#include <pthread.h>

#include "util/analysis/stat/stat.h"
#include "util/bench/bench.h"

#define NS_PER_US 1000ULL
#define US_PER_SEC 1000000ULL

u64 bench_now_us(void);
/* "Total time: 1.234 [sec]", or the seconds alone (-f simple). */
void bench_print_total(const struct bench *b, u64 us);
/* The same, and what one of n operations took. */
void bench_print_ops(const struct bench *b, u64 us, u64 n);
/* The error in percent of the mean. */
double bench_rel_error(const struct stat_spread *s);
/* Ends a child process of a suite, which has the parent's buffers. */
void bench_child_end(int status) __attribute__((noreturn));
/* Waits for a child; false: it failed. */
bool bench_child_wait(pid_t pid);

/* Threads that begin together and work until they are to stop. */
struct gang {
	pthread_t *threads;
	unsigned n;
	pthread_mutex_t lock;
	pthread_cond_t all_wait, may_go;
	unsigned waiting;
	bool going;
	bool done;	/* relaxed atomic: see gang_done() */
};

static inline bool gang_done(const struct gang *g)
{
	return __atomic_load_n(&g->done, __ATOMIC_RELAXED);
}

void gang_init(struct gang *g);
/* Makes one more thread on one of the CPUs in turn (or wherever, pin false). */
int gang_add(struct gang *g, void *(*fn)(void *), void *arg, bool pin, struct err *err);
/* By a thread: it is ready, and waits for the others. */
void gang_wait(struct gang *g);
/* By the owner: all n threads wait; then they go. */
void gang_go(struct gang *g);
/* They go for so many seconds, or until Ctrl-C, and are to stop then. How long that was, in us. */
u64 gang_run(struct gang *g, int seconds);
/* Waits for their ends, and releases. Those that still wait for the beginning are let go, and see
 * that it is done. */
void gang_release(struct gang *g);
/* As many as there are CPUs, if n is 0. */
int bench_threads(const struct bench *b, int n);

#endif
