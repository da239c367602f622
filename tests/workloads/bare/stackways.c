// SPDX-License-Identifier: GPL-2.0-or-later
// Ways into code that a compiler's tables do not show: the dynamic linker binding a call at its
// first use, an indirect function's
// stub, a vfork child on its parent's stack, functions without any tables. Argument 1: rounds;
// argument 2: the object to load again and
// again, which -DPLUGIN builds; -DLEAF builds those functions, one without a frame and one with.
#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

#if defined(LEAF)
unsigned long bare_leaf(unsigned long n);
NOINLINE unsigned long bare_leaf(unsigned long n)
{
	unsigned long v = n;

	for (unsigned long i = 0; i < n; i++)
		v = v * 6364136223846793005UL + (v >> 7);
	return v;
}

unsigned long bare_frame(unsigned long n);
NOINLINE unsigned long bare_frame(unsigned long n)
{
	volatile unsigned long a[40];
	unsigned long v = n;

	for (unsigned long i = 0; i < 40; i++)
		a[i] = n + i;
	for (unsigned long i = 0; i < n; i++)
		v = v * 6364136223846793005UL + a[i % 40];
	return v;
}
#elif defined(PLUGIN)
/* each call of the C library is bound when it is made, each time that this is loaded */
int plugin_bind(int n);
NOINLINE int plugin_bind(int n)
{
	int v = abs(n) + (int)labs(n) + (int)llabs(n) + toupper(n) + isdigit(n) + getpid() +
		rand() + (int)random();

	v += (int)strtol("9", NULL, 10) + (int)strtoul("9", NULL, 10) + (int)getuid() +
		(int)geteuid() + (int)getgid() + getppid();
	return v + (int)sysconf(_SC_PAGESIZE) + (getenv("NO_SUCH_NAME") != NULL);
}
#else
unsigned long bare_leaf(unsigned long n), bare_frame(unsigned long n);
static volatile unsigned long sink;

static NOINLINE unsigned long spin(unsigned long n)
{
	unsigned long v = n;

	for (unsigned long i = 0; i < n; i++)
		v = v * 6364136223846793005UL + (v >> 7);
	return sink += v;
}

static unsigned long chosen(unsigned long n)
{
	return n * 3 + (n >> 3);
}

__attribute__((used)) static unsigned long (*choose(void))(unsigned long)
{
	return chosen;
}

NOINLINE unsigned long indirect(unsigned long n) __attribute__((ifunc("choose")));

static NOINLINE void through_stub(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += indirect(i);
}

static NOINLINE void in_vfork_child(void)
{
	pid_t pid = vfork();

	if (!pid) {
		spin(300000);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static NOINLINE void bind_anew(const char *path, int times)
{
	for (int i = 0; i < times; i++) {
		void *lib = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
		int (*fn)(int) = lib ? (int (*)(int))dlsym(lib, "plugin_bind") : NULL;

		if (!fn)
			exit(1);
		sink += (unsigned long)fn(i);
		dlclose(lib);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 0) : 1;

	for (int i = 0; i < rounds; i++) {
		through_stub(300000);
		in_vfork_child();
		sink += bare_leaf(300000) + bare_frame(150000);
		if (argc > 2)
			bind_anew(argv[2], 20);
	}
	return 0;
}
#endif
