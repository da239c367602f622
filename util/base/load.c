// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/load.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/base/xalloc.h"

#define STACK_BYTES (64 << 10)

struct runner {
	struct crew *crew;
	const struct load_task *task;
	sem_t wakes;
	u64 cpu_ns;
	pthread_t thread;
};

struct crew {
	struct runner *runners;
	size_t n;
	pthread_mutex_t lock;
	pthread_cond_t go;
	enum { CREW_HELD, CREW_GO, CREW_CANCELLED } state;
};

static u64 clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static void burn(u64 ns)
{
	u64 end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	do {
		for (volatile int i = 0; i < 100; i++)
			;
	} while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end);
}

static void sleep_ns(u64 ns)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
		;
}

static void follow(struct runner *r)
{
	for (size_t i = 0; i < r->task->n; i++) {
		const struct load_step *step = &r->task->steps[i];

		switch (step->op) {
		case LOAD_RUN:
			burn(step->ns);
			break;
		case LOAD_SLEEP:
			sleep_ns(step->ns);
			break;
		case LOAD_WAIT:
			while (sem_wait(&r->wakes) < 0 && errno == EINTR)
				;
			break;
		case LOAD_WAKE:
			if (step->task < r->crew->n)
				sem_post(&r->crew->runners[step->task].wakes);
			break;
		}
	}
}

static void *runner_main(void *arg)
{
	struct runner *r = arg;
	bool go;

	pthread_mutex_lock(&r->crew->lock);
	while (r->crew->state == CREW_HELD)
		pthread_cond_wait(&r->crew->go, &r->crew->lock);
	go = r->crew->state == CREW_GO;
	pthread_mutex_unlock(&r->crew->lock);
	if (go)
		follow(r);
	r->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static void crew_tell(struct crew *c, int state)
{
	pthread_mutex_lock(&c->lock);
	c->state = state;
	pthread_cond_broadcast(&c->go);
	pthread_mutex_unlock(&c->lock);
}

int load_run(const struct load_task *tasks, size_t n, struct load_times *out, struct err *err)
{
	struct crew c = { .runners = xcalloc(n + 1, sizeof(*c.runners)), .n = n };
	pthread_attr_t attr;
	size_t made = 0;
	u64 begin_ns;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	pthread_mutex_init(&c.lock, NULL);
	pthread_cond_init(&c.go, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (size_t i = 0; i < n; i++) {
		c.runners[i].crew = &c;
		c.runners[i].task = &tasks[i];
		sem_init(&c.runners[i].wakes, 0, 0);
	}
	while (made < n && !ret) {
		ret = pthread_create(&c.runners[made].thread, &attr, runner_main, &c.runners[made]);
		made += !ret;
	}
	if (ret)
		ret = err_sys(err, ret, "cannot start thread %zu of %zu", made + 1, n);
	begin_ns = clock_ns(CLOCK_MONOTONIC);
	crew_tell(&c, ret ? CREW_CANCELLED : CREW_GO);
	for (size_t i = 0; i < made; i++) {
		pthread_join(c.runners[i].thread, NULL);
		out->cpu_ns += c.runners[i].cpu_ns;
	}
	out->wall_ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
	for (size_t i = 0; i < n; i++)
		sem_destroy(&c.runners[i].wakes);
	pthread_attr_destroy(&attr);
	pthread_cond_destroy(&c.go);
	pthread_mutex_destroy(&c.lock);
	free(c.runners);
	return ret;
}

static u64 least_of(void (*what)(u64), u64 ns)
{
	u64 least = UINT64_MAX;

	for (int i = 0; i < 10; i++) {
		u64 t = clock_ns(CLOCK_MONOTONIC);

		what(ns);
		t = clock_ns(CLOCK_MONOTONIC) - t;
		least = MIN(least, t);
	}
	return least;
}

void load_measure(struct load_overhead *out)
{
	out->run_ns = least_of(burn, 0);
	out->sleep_ns = least_of(sleep_ns, 0);
	out->run_test_ns = least_of(burn, 1000000);
	out->sleep_test_ns = least_of(sleep_ns, 1000000);
}
