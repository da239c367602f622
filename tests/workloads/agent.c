// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * agent MILLISECONDS [jit]
 * Burns that much CPU time of its own in main -> agent_work -> agent_leaf; with "jit" (x86-64) in
 * main -> code made at run time, which it tells in /tmp/perf-PID.map as "jitted_loop"; at its end
 * it removes that file. First it prints its pid.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static long cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000L + ts.tv_nsec / 1000000;
}

__attribute__((noinline)) static void agent_leaf(void)
{
	for (int i = 0; i < 200000; i++)
		sink += i;
}

__attribute__((noinline)) static void agent_work(void)
{
	agent_leaf();
	sink++;
}

/* mov ecx, 200000; dec ecx; jnz; ret */
static const unsigned char code[] = { 0xb9, 0x40, 0x0d, 0x03, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };

static void (*make_jit(char *path, size_t n))(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	FILE *f;

	if (p == MAP_FAILED)
		exit(2);
	memcpy(p, code, sizeof(code));
	snprintf(path, n, "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "w");
	if (!f)
		exit(2);
	fprintf(f, "%lx %zx jitted_loop\n", (unsigned long)p, sizeof(code));
	fclose(f);
	return (void (*)(void))p;
}

int main(int argc, char **argv)
{
	long until = argc > 1 ? strtol(argv[1], NULL, 10) : 300;
	char path[64] = "";
	void (*fn)(void) = agent_work;

	if (argc > 2)
		fn = make_jit(path, sizeof(path));
	printf("%d\n", (int)getpid());
	fflush(stdout);
	while (cpu_ms() < until)
		fn();
	if (path[0])
		unlink(path);
	return 0;
}
