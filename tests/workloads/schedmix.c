// SPDX-License-Identifier: GPL-2.0-or-later
// All that a scheduler recording can meet, a little of each, on the first two CPUs: ping-pong
// over pipes and a futex, children that
// exit at once, exec, get another name or outlive their parent, threads of a group that exits
// under them, nice and FIFO
// priorities, moves between CPUs, naps, yields, writes to a disk, stops. schedmix [ROUNDS]: says
// nothing.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rounds = 4;

static void on_cpu(int cpu)	/* -1: any */
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < 2; i++) {
		if (cpu < 0 || cpu == i)
			CPU_SET(i, &set);
	}
	sched_setaffinity(0, sizeof(set), &set);
}

static void nap_us(long us)
{
	nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

static void burn_us(long us)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	do
		clock_gettime(CLOCK_MONOTONIC, &b);
	while ((b.tv_sec - a.tv_sec) * 1000000 + (b.tv_nsec - a.tv_nsec) / 1000 < us);
}

static void ping_pong(int cpu, int n)
{
	int a[2], b[2];
	char c = 0;

	if (pipe(a) || pipe(b))
		_exit(1);
	if (!fork()) {
		on_cpu(cpu);
		prctl(PR_SET_NAME, "pong");
		for (int i = 0; i < n && read(a[0], &c, 1) == 1 && write(b[1], &c, 1) == 1; i++)
			;
		_exit(0);
	}
	for (int i = 0; i < n && write(a[1], &c, 1) == 1 && read(b[0], &c, 1) == 1; i++)
		;
	for (int i = 0; i < 2; i++) {
		close(a[i]);
		close(b[i]);
	}
	wait(NULL);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static void *dancer(void *arg)
{
	int me = (int)(long)arg;
	char name[16];

	snprintf(name, sizeof(name), "dance %d", me);
	for (int i = 0; i < 10 * rounds; i++) {
		if (i == 5)
			prctl(PR_SET_NAME, name);
		pthread_mutex_lock(&lock);
		while (turn % 3 != me)
			pthread_cond_wait(&turned, &lock);
		turn++;
		pthread_cond_broadcast(&turned);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *forever(void *arg)
{
	prctl(PR_SET_NAME, "under the bus");
	for (;;) {
		if (arg)
			burn_us(500);
		nap_us(100);
	}
	return NULL;
}

static void dance(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, dancer, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

/* A group exits while its threads run and sleep. */
static void group(void)
{
	pthread_t t;

	for (long i = 0; i < 3; i++)
		pthread_create(&t, NULL, forever, (void *)i);
	burn_us(2000);
	_exit(0);
}

static void orphan(void)
{
	if (fork())
		_exit(0);
	prctl(PR_SET_NAME, "orphan");
	for (int i = 0; i < 3; i++) {
		nap_us(1500);
		burn_us(200);
	}
	_exit(0);
}

static void hog(void)
{
	on_cpu(1);
	setpriority(PRIO_PROCESS, 0, 10);
	prctl(PR_SET_NAME, "nice hog");
	burn_us(8000L * rounds);
	_exit(0);
}

static void fifo(void)
{
	on_cpu(1);
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 50 });
	prctl(PR_SET_NAME, "fifo");
	for (int i = 0; i < 3 * rounds; i++) {
		nap_us(1000);
		burn_us(300);
	}
	_exit(0);
}

static void wanderer(void)
{
	prctl(PR_SET_NAME, "wan\"der\\er");
	for (int i = 0; i < 4 * rounds; i++) {
		on_cpu(i & 1);
		burn_us(300);
		sched_yield();
		nap_us(300);
	}
	_exit(0);
}

static void writer(void)
{
	char name[] = "mixXXXXXX";
	int fd = mkstemp(name);

	prctl(PR_SET_NAME, "writer");
	unlink(name);
	for (int i = 0; i < 2 * rounds; i++) {
		if (write(fd, name, sizeof(name)) < 0 || fsync(fd))
			break;
	}
	_exit(0);
}

static void child(void (*run)(void))
{
	if (!fork())
		run();
}

static void quits(void)
{
	_exit(0);
}

static void execs(void)
{
	execlp("true", "a true child", NULL);
	_exit(1);
}

static void spinner_that_stops(void)
{
	prctl(PR_SET_NAME, "stopped");
	raise(SIGSTOP);
	burn_us(300);
	_exit(0);
}

int main(int argc, char **argv)
{
	pid_t stopped;

	if (argc > 1)
		rounds = (int)strtol(argv[1], NULL, 10);
	on_cpu(-1);
	child(hog);
	child(fifo);
	child(wanderer);
	child(writer);
	child(orphan);
	for (int i = 0; i < rounds; i++) {
		stopped = fork();
		if (!stopped)
			spinner_that_stops();
		child(group);
		ping_pong(0, 20 * rounds);
		child(quits);
		child(execs);
		dance();
		ping_pong(1, 20 * rounds);
		nap_us(2000);
		kill(stopped, SIGCONT);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
