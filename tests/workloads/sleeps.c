// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sleeps
 * Sleeps in doze() and nap(), and waits for another thread in wait_for_byte(). A line for each says
 * how often, for how many ns at least, and how many ns it took, most.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long took[3];
static int fds[2];

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void rest(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

static void doze(void)
{
	long long from = now();

	rest(30);
	took[0] += now() - from;
}

static void nap(void)
{
	long long from = now();

	rest(50);
	took[1] += now() - from;
}

/* Of its own: a frame pointer does not tell who called a function of the C library. */
static long one_byte(void)
{
	char c;

	return read(fds[0], &c, 1);
}

/* The other thread sleeps long enough first that the byte is waited for on a busy machine, too. */
static void wait_for_byte(void)
{
	long long from = now();

	if (one_byte() == 1)
		took[2] += now() - from;
}

static void *writer(void *arg)
{
	rest(400);
	return write(fds[1], "x", 1) == 1 ? arg : NULL;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < 10; i++)
		doze();
	for (int i = 0; i < 4; i++)
		nap();
	if (pipe(fds) || pthread_create(&t, NULL, writer, NULL))
		return 1;
	wait_for_byte();
	pthread_join(t, NULL);
	printf("doze 10 %lld %lld\n", 10 * 30000000LL, took[0]);
	printf("nap 4 %lld %lld\n", 4 * 50000000LL, took[1]);
	printf("wait_for_byte 1 %lld %lld\n", 100000000LL, took[2]);
	return 0;
}
