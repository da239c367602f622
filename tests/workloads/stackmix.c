// SPDX-License-Identifier: GPL-2.0-or-later
// The same amount of work at the end of all sorts of stacks: plain calls, recursion 60 and 500
// deep, callbacks of the C
// library, a signal handler (on the stack, and on one of its own), after longjmp, in a loaded
// object (-DPLUGIN builds that;
// argument 2 names it), in another thread, on a makecontext stack. Argument 1: rounds. With 0
// rounds: one round, in which the
// work is to touch a new page each time, so that its page faults are the same in every run:
// those of the stacks come before.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#ifndef STATIC
#include <dlfcn.h>
#endif

#define NOINLINE __attribute__((noinline))

static volatile unsigned long sink;
static volatile char *fresh, *fresh_end;	/* pages that nobody touched */

/* Where a push meets a new page of the stack depends on where the kernel put it this time. */
static NOINLINE void warm_stack(void)
{
	volatile char room[192 << 10];

	for (size_t i = 0; i < sizeof(room); i += 1024)
		room[i] = 1;
}

/* many values alive across the calls: registers are pushed, and popped again */
static NOINLINE unsigned long mix(unsigned long a, unsigned long b, unsigned long c)
{
	for (int i = 0; i < 12; i++) {
		a = a * 6364136223846793005UL + b;
		b ^= c >> 7;
		c += a ^ b << 3;
	}
	return a ^ b ^ c;
}

static NOINLINE unsigned long spin(unsigned long n)
{
	unsigned long a = n, b = n + 1, c = n + 2, d = n + 3, e = n + 4;

	if (fresh && fresh != fresh_end) {
		*fresh = 1;
		fresh += 4096;
		return n;
	}
	for (unsigned long i = 0; i < n * 8; i++) {
		a += mix(b, c, d);
		b ^= mix(a, d, e);
		c += a;
		d ^= b;
		e += c;
	}
	sink += a ^ b ^ c ^ d ^ e;
	return a;
}

#ifdef PLUGIN
NOINLINE void plugin_work(unsigned long n);
NOINLINE void plugin_work(unsigned long n)
{
	/* a frame with a frame pointer, whatever the options */
	unsigned char *p = __builtin_alloca(n % 100 + 16);

	memset(p, 1, 16);
	sink += p[3] + spin(n);
}
#else

static NOINLINE unsigned long recurse(int depth, unsigned long n)
{
	unsigned long v = depth ? recurse(depth - 1, n) : spin(n);

	return v + mix(v, n, (unsigned long)depth);	/* no tail call */
}

static int compare(const void *a, const void *b)
{
	sink += spin(5);
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void callbacks(void)
{
	int v[16];

	for (int i = 0; i < 16; i++)
		v[i] = i * 11 % 16;
	qsort(v, 16, sizeof(v[0]), compare);
	sink += (unsigned long)v[3];
}

static void on_signal(int sig)
{
	sink += (unsigned long)sig + recurse(3, 300);
}

static NOINLINE void signals(void)
{
	raise(SIGUSR1);
	sink += spin(10);
	raise(SIGUSR2);
	sink += spin(10);
}

static jmp_buf env;

static NOINLINE void jump(int depth)
{
	sink += spin(30);
	if (!depth)
		longjmp(env, 1);
	jump(depth - 1);
	sink++;
}

static NOINLINE void jumps(void)
{
	if (!setjmp(env))
		jump(8);
	sink += spin(100);
}

static void *in_thread(void *arg)
{
	if (fresh)
		warm_stack();
	sink += recurse(5, 400);
	return arg;
}

static ucontext_t here, there;
static char context_stack[65536];

static void in_context(void)
{
	sink += recurse(4, 300);
}

static NOINLINE void contexts(void)
{
	getcontext(&there);
	there.uc_stack.ss_sp = context_stack;
	there.uc_stack.ss_size = sizeof(context_stack);
	there.uc_link = &here;
	makecontext(&there, in_context, 0);
	swapcontext(&here, &there);
	sink += spin(10);
}

static void only_touch(void)
{
	const size_t bytes = 4096 * 1000;

	fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fresh == MAP_FAILED)
		exit(1);
	madvise((void *)fresh, bytes, MADV_NOHUGEPAGE);
	fresh_end = fresh + bytes;
	warm_stack();
	memset(context_stack, 1, sizeof(context_stack));
}

int main(int argc, char **argv)
{
	static char signal_stack[65536];
	const stack_t ss = { .ss_sp = signal_stack, .ss_size = sizeof(signal_stack) };
	struct sigaction sa = { .sa_handler = on_signal };
	void (*plugin)(unsigned long) = NULL;
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 0) : 1;
	pthread_t th;

#ifndef STATIC
	void *lib = argc > 2 ? dlopen(argv[2], RTLD_NOW) : NULL;

	if (lib)
		*(void **)&plugin = dlsym(lib, "plugin_work");
	if (argc > 2 && !plugin)
		return 1;
#endif
	if (!rounds) {
		only_touch();
		memset(signal_stack, 1, sizeof(signal_stack));
		rounds = 1;
	}
	sigaltstack(&ss, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	sa.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &sa, NULL);
	for (int i = 0; i < rounds; i++) {
		sink += recurse(60, 300);
		if (i % 16 == 0)
			sink += recurse(500, 500);
		callbacks();
		signals();
		jumps();
		contexts();
		if (plugin)
			plugin(300);
		if (!pthread_create(&th, NULL, in_thread, NULL))
			pthread_join(th, NULL);
	}
	return 0;
}
#endif
