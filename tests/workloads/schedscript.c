// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A story for the scheduler's observers, told by itself: each thread prints what it knows of its
 * own time.
 *	schedscript ROUNDS PERIODS
 * Threads: "ping" and "pong" hand a byte back and forth ROUNDS times; "sleeper" sleeps PERIODS
 * times 2 ms beside a "hog" on the same CPU. Each prints: NAME TID cpu_ns VALUE switches VALUE
 * late_ns VALUE (late: how much later than asked it ran, in total).
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int there[2], back[2];
static long rounds, periods;
static atomic_bool done;
static pthread_mutex_t print_lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void tell(const char *name, uint64_t late_ns)
{
	struct rusage r;

	pthread_mutex_lock(&print_lock);
	getrusage(RUSAGE_THREAD, &r);
	printf("%s %ld cpu_ns %llu switches %ld late_ns %llu\n", name, syscall(SYS_gettid),
	       (unsigned long long)clock_ns(CLOCK_THREAD_CPUTIME_ID), r.ru_nvcsw + r.ru_nivcsw,
	       (unsigned long long)late_ns);
	pthread_mutex_unlock(&print_lock);
}

static void begin(const char *name, int cpu)
{
	cpu_set_t set;

	prctl(PR_SET_NAME, name);
	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *ping(void *arg)
{
	char c = 0;

	begin("ping", -1);
	for (long i = 0; i < rounds; i++) {
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			abort();
	}
	tell("ping", 0);
	return arg;
}

static void *pong(void *arg)
{
	char c = 0;

	begin("pong", -1);
	for (long i = 0; i < rounds; i++) {
		if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
			abort();
	}
	tell("pong", 0);
	return arg;
}

static void *sleeper(void *arg)
{
	uint64_t late = 0;

	begin("sleeper", 0);
	for (long i = 0; i < periods; i++) {
		uint64_t at = clock_ns(CLOCK_MONOTONIC) + 2000000u;
		struct timespec t = { (time_t)(at / 1000000000u), (long)(at % 1000000000u) };

		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
			;
		late += clock_ns(CLOCK_MONOTONIC) - at;
	}
	tell("sleeper", late);
	done = true;
	return arg;
}

static void *hog(void *arg)
{
	begin("hog", 0);
	while (!done)
		;
	tell("hog", 0);
	return arg;
}

int main(int argc, char **argv)
{
	void *(*const story[])(void *) = { ping, pong, sleeper, hog };
	pthread_t thread[4];

	rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
	periods = argc > 2 ? strtol(argv[2], NULL, 10) : 50;
	if (pipe(there) || pipe(back))
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, story[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
