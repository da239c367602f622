// SPDX-License-Identifier: GPL-2.0-or-later
// The same in C++, by new and delete, in two threads and a child process: FUNCTION LIVE PEAK ALLOCATED FREED TIMES.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>
#include <sys/wait.h>
#include <unistd.h>

struct alignas(128) wide { char bytes[256]; };
static void *volatile kept[4096];

__attribute__((noinline)) void leak_new()
{
	for (int i = 0; i < 50; i++)
		kept[i] = new char[2000];
}

__attribute__((noinline)) void churn_new()
{
	for (int i = 0; i < 5000; i++) {
		long *volatile p = new long(i);

		delete p;
	}
}

__attribute__((noinline)) void aligned_new()
{
	for (int i = 0; i < 10; i++) {
		wide *volatile p = new wide;

		delete p;
	}
}

__attribute__((noinline)) void nothrow_new()
{
	char *volatile p = new (std::nothrow) char[300];

	delete[] p;
}

/* Frees what the main thread has. */
__attribute__((noinline)) void given(char *p)
{
	delete[] p;
}

__attribute__((noinline)) char *give()
{
	return new char[4000];
}

__attribute__((noinline)) void child()
{
	for (int i = 0; i < 20; i++)
		kept[100 + i] = malloc(3000);
}

int main(int argc, char **argv)
{
	leak_new();
	churn_new();
	aligned_new();
	nothrow_new();
	std::thread t(given, give());
	t.join();
	if (argc > 1) {
		pid_t pid = fork();

		if (!pid) {
			usleep(1000 * (unsigned)strtol(argv[1], NULL, 10));	/* its probes come a moment after it */
			child();
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		printf("child 60000 60000 60000 0 20\n");
	}
	printf("leak_new 100000 100000 100000 0 50\n");
	printf("churn_new 0 0 40000 40000 5000\n");
	printf("aligned_new 0 0 2560 2560 10\n");
	printf("nothrow_new 0 0 300 300 1\n");
	printf("give 0 0 4000 4000 1\n");
	return 0;
}
