// SPDX-License-Identifier: GPL-2.0-or-later
// A JIT compiler in small: copies a function (one store a page) to executable memory under
// several names, runs it, and writes
// DIR/jit-PID.dump about it. "jit DIR": jit_first touches 40 pages; then the same memory is
// given to jit_second (70 pages), which moves
// and touches 90 more at its new place; jit_lines (20 pages) has lines "made.x" 10 (entry) and
// 11 (store).
// Prints "pid PID". All page faults of those pages happen in the code that was made. x86_64 and
// aarch64.
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __aarch64__
/* 1: strb w2, [x0]; add x0, x0, x2; subs x1, x1, 1; b.ne 1b; ret */
static const uint32_t code[] = { 0x39000002, 0x8b020000, 0xf1000421, 0x54ffffa1, 0xd65f03c0 };
#define MACHINE EM_AARCH64
#define STORE 0
#else
/* 1: mov %dl,(%rdi); add %rdx,%rdi; dec %rsi; jne 1b; ret   with a nop before it */
static const uint8_t code[] = { 0x90, 0x88, 0x17, 0x48, 0x01, 0xd7, 0x48, 0xff, 0xce, 0x75, 0xf6,
				0xc3 };
#define MACHINE EM_X86_64
#define STORE 1
#endif

static FILE *dump;
static long page;
static uint64_t n_loads;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void w32(uint32_t v) { fwrite(&v, 4, 1, dump); }
static void w64(uint64_t v) { fwrite(&v, 8, 1, dump); }

static void record(uint32_t id, size_t body)
{
	w32(id);
	w32((uint32_t)(16 + body));
	w64(now());
}

static void begin_dump(const char *dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, (int)getpid());
	dump = fopen(path, "w+");
	if (!dump)
		exit(2);
	w32(0x4A695444);
	w32(1);
	w32(40);
	w32(MACHINE);
	w32(0);
	w32((uint32_t)getpid());
	w64(now());
	w64(0);
	fflush(dump);
	if (mmap(NULL, (size_t)page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) ==
	    MAP_FAILED)
		exit(3);
}

static void tell_load(const char *name, const void *at)
{
	record(0, 48 - 8 + strlen(name) + 1 + sizeof(code));
	w32((uint32_t)getpid());
	w32((uint32_t)getpid());
	w64((uintptr_t)at);
	w64((uintptr_t)at);
	w64(sizeof(code));
	w64(n_loads++);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(code, sizeof(code), 1, dump);
}

static void tell_move(const void *from, const void *to)
{
	record(1, 48);
	w32((uint32_t)getpid());
	w32((uint32_t)getpid());
	w64((uintptr_t)to);
	w64((uintptr_t)from);
	w64((uintptr_t)to);
	w64(sizeof(code));
	w64(n_loads - 1);
}

static void tell_line(const char *at, uint32_t line, const char *file)
{
	w64((uintptr_t)at);
	w32(line);
	w32(0);
	fwrite(file, strlen(file) + 1, 1, dump);
}

static void tell_lines(const char *at)
{
	record(2, 16 + 2 * 16 + sizeof("made.x") + sizeof("\xff"));
	w64((uintptr_t)at);
	w64(2);
	tell_line(at, 10, "made.x");
	tell_line(at + STORE, 11, "\xff");
}

static void run(void *at, long pages)
{
	const size_t bytes = (size_t)(pages * page);
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(4);
	madvise(p, bytes, MADV_NOHUGEPAGE);
	fflush(dump);
	((void (*)(char *, long, long))at)(p, pages, page);
}

int main(int argc, char **argv)
{
	char *a, *b;

	page = sysconf(_SC_PAGESIZE);
	a = mmap(NULL, (size_t)(2 * page), PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (argc < 2 || a == MAP_FAILED)
		return 1;
	b = a + page;
	memcpy(a, code, sizeof(code));
	memcpy(b, code, sizeof(code));
	__builtin___clear_cache(a, b + page);
	begin_dump(argv[1]);
	tell_load("jit_first", a);
	run(a, 40);
	tell_load("jit_second", a);
	run(a, 70);
	tell_move(a, b);
	run(b, 90);
	tell_lines(a + 1024);
	memcpy(a + 1024, code, sizeof(code));
	__builtin___clear_cache(a + 1024, a + 2048);
	tell_load("jit_lines", a + 1024);
	run(a + 1024, 20);
	record(3, 0);
	fclose(dump);
	printf("pid %d\n", (int)getpid());
	return 0;
}
