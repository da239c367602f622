// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a task waited for, by its own clock.
 *	schedtruth ROUNDS SLEEPS VFORKS FORKS
 * "futexa" and "futexb" wake each other ROUNDS times through a futex; "napper" sleeps SLEEPS times
 * 1 ms; "vforker" waits VFORKS times, uninterruptibly, for a child that sleeps 3 ms; "forker" makes
 * FORKS children "forkedN" that use some CPU time each. Lines: NAME TID KEY VALUE ... in ns; "late"
 * is from the moment before the wake-up to the moment after, summed.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long rounds, naps, vforks, forks;
static _Atomic uint32_t turn;
static _Atomic uint64_t woken_at;
static pthread_mutex_t print_lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void tell(const char *name, const char *key, uint64_t a, uint64_t n)
{
	pthread_mutex_lock(&print_lock);
	printf("%s %ld %s %llu n %llu cpu %llu\n", name, syscall(SYS_gettid), key,
	       (unsigned long long)a, (unsigned long long)n,
	       (unsigned long long)now(CLOCK_THREAD_CPUTIME_ID));
	fflush(stdout);
	pthread_mutex_unlock(&print_lock);
}

static void *futex_side(void *arg)
{
	uint32_t me = (uint32_t)(uintptr_t)arg;
	uint64_t late = 0, slept = 0;

	prctl(PR_SET_NAME, me ? "futexb" : "futexa");
	for (long i = 0; i < rounds; i++) {
		int waits = 0;

		while (turn != me) {
			if (!syscall(SYS_futex, &turn, FUTEX_WAIT, !me, NULL, NULL, 0))
				waits = 1;
		}
		if (waits) {
			late += now(CLOCK_MONOTONIC) - woken_at;
			slept++;
		}
		woken_at = now(CLOCK_MONOTONIC);
		turn = !me;
		syscall(SYS_futex, &turn, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	tell(me ? "futexb" : "futexa", "late", late, slept);
	return NULL;
}

static void *nap(void *arg)
{
	uint64_t from, total = 0;

	prctl(PR_SET_NAME, "napper");
	for (long i = 0; i < naps; i++) {
		from = now(CLOCK_MONOTONIC);
		usleep(1000);
		total += now(CLOCK_MONOTONIC) - from;
	}
	tell("napper", "slept", total, (uint64_t)naps);
	return arg;
}

static void *wait_for_vforks(void *arg)
{
	uint64_t from, total = 0;

	prctl(PR_SET_NAME, "vforker");
	for (long i = 0; i < vforks; i++) {
		struct timespec t = { 0, 3000000 };
		pid_t pid;

		from = now(CLOCK_MONOTONIC);
		pid = vfork();
		if (!pid) {
			syscall(SYS_nanosleep, &t, NULL);
			_exit(0);
		}
		total += now(CLOCK_MONOTONIC) - from;
		waitpid(pid, NULL, 0);
	}
	tell("vforker", "waited", total, (uint64_t)vforks);
	return arg;
}

static void fork_some(void)
{
	for (long i = 0; i < forks; i++) {
		pid_t pid = fork();
		char name[16];

		if (!pid) {
			snprintf(name, sizeof(name), "forked%ld", i);
			prctl(PR_SET_NAME, name);
			while (now(CLOCK_THREAD_CPUTIME_ID) < 2000000)
				;
			tell(name, "used", now(CLOCK_THREAD_CPUTIME_ID), 1);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	void *(*const parts[])(void *) = { futex_side, futex_side, nap, wait_for_vforks };
	pthread_t t[4];

	if (argc != 5)
		return 1;
	rounds = strtol(argv[1], NULL, 10);
	naps = strtol(argv[2], NULL, 10);
	vforks = strtol(argv[3], NULL, 10);
	forks = strtol(argv[4], NULL, 10);
	fork_some();
	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, parts[i], (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
