// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * story [pages]	(200)
 * A task with everything that moves in an address space: threads with names, a child that only
 * forks, a child that executes this program again, a library that is loaded, used and unloaded,
 * memory mapped over other memory. Each part touches "pages" pages of its own, so that a recording
 * of page faults has at least 5 * pages samples.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static long pages = 200;

static void __attribute__((noinline)) touch(char *p)
{
	for (long i = 0; i < pages; i++)
		((volatile char *)p)[i * 4096] = 1;
}

static void __attribute__((noinline)) part(const char *name)
{
	char *p = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	prctl(PR_SET_NAME, name);
	if (p != MAP_FAILED) {
		madvise(p, pages * 4096, MADV_NOHUGEPAGE);
		touch(p);
		munmap(p, pages * 4096);
	}
}

static void *in_thread(void *name)
{
	part(name);
	return NULL;
}

static void in_child(char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		part("child");
		if (argv)
			execv("/proc/self/exe", argv);
		_exit(argv ? 1 : 0);
	}
	waitpid(pid, NULL, 0);
}

static void __attribute__((noinline)) library(void)
{
	for (int i = 0; i < 3; i++) {
		void *h = dlopen("libm.so.6", RTLD_NOW);
		double (*fn)(double) = h ? (double (*)(double))dlsym(h, "lgamma") : NULL;

		if (fn && fn(2.5) < 0.2)
			puts("odd");
		if (h)
			dlclose(h);
	}
}

int main(int argc, char **argv)
{
	char text[24], again[] = "again", *args[] = { argv[0], text, again, NULL };
	pthread_t t[2];

	if (argc > 1)
		pages = strtol(argv[1], NULL, 10);
	snprintf(text, sizeof(text), "%ld", pages);
	part(argc > 2 ? "executed" : "story");
	if (argc > 2)
		return 0;
	pthread_create(&t[0], NULL, in_thread, "first");
	pthread_create(&t[1], NULL, in_thread, "second one");
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	library();
	in_child(NULL);
	in_child(args);
	return 0;
}
