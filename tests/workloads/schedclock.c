// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the scheduler did to a program, by the program's own clock (CLOCK_MONOTONIC, ns).
 *	schedclock ROUNDS HOLDS NAPS VFORKS FORKS SYNCS
 * Each line is a wait, and between which two readings of the clock it must have begun, become
 * ready, and ended:
 *	KIND TID OUT_MIN OUT_MAX READY_MIN READY_MAX IN_MIN IN_MAX SLEEPS
 *	(0: not known; SLEEPS: in between, of sync only)
 * wake: two threads wake each other ROUNDS times through a futex. held: a thread is woken on a CPU
 * that a SCHED_FIFO thread keeps for 5 ms more; left out without the right to that. nap: sleeps of
 * 1 ms. vfork: uninterruptible waits for a child that sleeps 3 ms. fork: from fork() to the child's
 * first instruction. sync: fsync() of new data in ./synced.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_WAITS 4000

struct wait { const char *kind; long tid; uint64_t out[2], ready[2], in[2], sleeps; };

static long rounds, holds, naps, vforks, forks, syncs;
static struct wait *waits;		/* shared with children */
static _Atomic uint32_t n_waits, turn, hold;
static struct wait *pings, *held;	/* by round */
static int held_cpu;
static _Atomic int fifo;		/* -1: not allowed */

static uint64_t mono(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static long tid(void)
{
	return syscall(SYS_gettid);
}

static void tell(struct wait w)
{
	uint32_t i = n_waits++;

	if (i < MAX_WAITS)
		waits[i] = w;
}

static void nap_until(uint64_t at)
{
	struct timespec t = { (time_t)(at / 1000000000u), (long)(at % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}

/* Until *word is not less; whether it slept. */
static int wait_for(_Atomic uint32_t *word, uint32_t value)
{
	uint32_t seen;
	int slept = 0;

	while ((seen = *word) < value)
		slept |= !syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
	return slept;
}

static void wake(_Atomic uint32_t *word, uint32_t value, uint64_t at[2])
{
	at[0] = mono();
	*word = value;
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
	at[1] = mono();
}

static void *ping(void *arg)
{
	uint32_t me = (uint32_t)(uintptr_t)arg, last = (uint32_t)rounds * 2;

	prctl(PR_SET_NAME, me ? "pong" : "ping");
	for (uint32_t i = me; i < last; i += 2) {
		uint64_t before = mono();

		if (wait_for(&turn, i)) {
			pings[i].tid = tid();
			pings[i].in[1] = mono();
			pings[i].out[0] = before;
		}
		wake(&turn, i + 1, pings[i + 1].ready);
	}
	return NULL;
}

static void on_held_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(held_cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *holder(void *arg)
{
	struct sched_param p = { .sched_priority = 1 };

	prctl(PR_SET_NAME, "holder");
	on_held_cpu();
	fifo = pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) ? -1 : 1;
	for (uint32_t i = 0; fifo > 0 && i < (uint32_t)holds; i++) {
		nap_until(mono() + 3000000);
		wake(&hold, i + 1, held[i].ready);
		while (mono() < held[i].ready[1] + 5000000)
			;
		held[i].in[0] = mono();
	}
	return arg;
}

static void *waiter(void *arg)
{
	prctl(PR_SET_NAME, "waiter");
	on_held_cpu();
	while (!fifo)
		sched_yield();
	/* Who comes late has missed a round, or more. */
	for (uint32_t i = 0; fifo > 0 && i < (uint32_t)holds; i = hold) {
		held[i].out[0] = mono();
		if (wait_for(&hold, i + 1) && hold == i + 1) {
			held[i].in[1] = mono();
			held[i].tid = tid();
		}
	}
	return arg;
}

static void *napper(void *arg)
{
	prctl(PR_SET_NAME, "napper");
	for (long i = 0; i < naps; i++) {
		uint64_t from = mono(), at = from + 1000000, to;

		nap_until(at);
		to = mono();
		tell((struct wait){ "nap", tid(), { from, at }, { at, to }, { at, to }, 0 });
	}
	return arg;
}

static void *vforker(void *arg)
{
	prctl(PR_SET_NAME, "vforker");
	for (volatile long i = 0; i < vforks; i++) {
		struct timespec t = { 0, 3000000 };
		volatile uint64_t awake = 0;
		uint64_t from = mono(), to;
		pid_t pid = vfork();

		if (!pid) {
			syscall(SYS_nanosleep, &t, NULL);
			awake = mono();
			_exit(0);
		}
		to = mono();
		waitpid(pid, NULL, 0);
		tell((struct wait){ "vfork", tid(), { from, to }, { awake, to }, { awake, to },
				    0 });
	}
	return arg;
}

static void *syncer(void *arg)
{
	static char data[1 << 16];
	int fd = open("synced", O_CREAT | O_WRONLY | O_TRUNC, 0600);

	prctl(PR_SET_NAME, "syncer");
	for (long i = 0; fd >= 0 && i < syncs; i++) {
		struct rusage before, after;
		uint64_t from, to;

		if (write(fd, data, sizeof(data)) != sizeof(data))
			break;
		getrusage(RUSAGE_THREAD, &before);
		from = mono();
		fsync(fd);
		to = mono();
		getrusage(RUSAGE_THREAD, &after);
		tell((struct wait){ "sync", tid(), { from, to }, { from, to }, { from, to },
				    (uint64_t)(after.ru_nvcsw - before.ru_nvcsw) });
	}
	return arg;
}

/* Before there are threads, whose locks a child would inherit. */
static void fork_some(void)
{
	for (long i = 0; i < forks; i++) {
		struct wait *w = &waits[MAX_WAITS];
		pid_t pid;

		memset(w, 0, sizeof(*w));
		w->kind = "fork";
		w->ready[0] = w->in[0] = mono();
		pid = fork();
		if (!pid) {
			w->in[1] = mono();
			w->tid = tid();
			_exit(0);
		}
		w->ready[1] = mono();
		waitpid(pid, NULL, 0);
		tell(*w);
	}
}

static void print_all(void)
{
	for (uint32_t i = 0; i < n_waits && i < MAX_WAITS; i++) {
		const struct wait *w = &waits[i];

		printf("%s %ld %llu %llu %llu %llu %llu %llu %llu\n", w->kind, w->tid,
		       (unsigned long long)w->out[0],
		       (unsigned long long)w->out[1], (unsigned long long)w->ready[0],
		       (unsigned long long)w->ready[1],
		       (unsigned long long)w->in[0], (unsigned long long)w->in[1],
		       (unsigned long long)w->sleeps);
	}
}

/* Of rounds in which somebody slept. */
static void tell_rounds(const char *kind, struct wait *v, long n)
{
	for (long i = 0; i < n; i++) {
		if (!v[i].tid)
			continue;
		v[i].kind = kind;
		v[i].out[1] = v[i].ready[1];
		v[i].in[0] = v[i].in[0] ? v[i].in[0] : v[i].ready[0];
		tell(v[i]);
	}
}

int main(int argc, char **argv)
{
	void *(*const parts[])(void *) = { ping, ping, holder, waiter, napper, vforker, syncer };
	enum { N = sizeof(parts) / sizeof(*parts) };
	long *const counts[] = { &rounds, &holds, &naps, &vforks, &forks, &syncs };
	pthread_t t[N];

	if (argc != 7)
		return 1;
	for (int i = 0; i < 6; i++)
		*counts[i] = strtol(argv[i + 1], NULL, 10);
	waits = mmap(NULL, (MAX_WAITS + 1) * sizeof(*waits), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pings = calloc((size_t)rounds * 2 + 1, sizeof(*pings));
	held = calloc((size_t)holds + 1, sizeof(*held));
	held_cpu = sched_getcpu();
	if (waits == MAP_FAILED || !pings || !held)
		return 1;
	fork_some();
	for (uintptr_t i = 0; i < N; i++)
		pthread_create(&t[i], NULL, parts[i], (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	tell_rounds("wake", pings, rounds * 2);
	tell_rounds("held", held, holds);
	print_all();
	return 0;
}
