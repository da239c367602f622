// SPDX-License-Identifier: GPL-2.0-or-later
// A JIT compiler whose code keeps no frame pointer: its unwind tables are in DIR/jit-PID.dump
// alone, which is written as real
// ones are, all at the end. "jitframes DIR": main calls jit_outer, that middle(), that
// jit_inner, that touch_pages(), which makes
// 40 page faults. "jitframes DIR plain": the dump is written at once and tells no tables. x86_64.
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* push %rbp; sub $32,%rsp; mov $1,%ebp; call *%rdi; add $32,%rsp; pop %rbp; ret */
static const uint8_t code[24] = { 0x55, 0x48, 0x83, 0xec, 0x20, 0xbd, 1, 0, 0, 0, 0xff, 0xd7, 0x48,
				  0x83, 0xc4, 0x20, 0x5d, 0xc3 };
#define CODE_BYTES 18

static FILE *dump;
static long page;
static char *inner;

static void w32(uint32_t v) { fwrite(&v, 4, 1, dump); }
static void w64(uint64_t v) { fwrite(&v, 8, 1, dump); }

static void record(uint32_t id, size_t body)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	w32(id);
	w32((uint32_t)(16 + body));
	w64((uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec);
}

static void begin_dump(const char *dir)
{
	static char buffer[1 << 16];
	char path[4096];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, (int)getpid());
	dump = fopen(path, "w+");
	if (!dump)
		exit(2);
	setvbuf(dump, buffer, _IOFBF, sizeof(buffer));
	w32(0x4A695444);
	w32(1);
	w32(40);
	w32(EM_X86_64);
	w32(0);
	w32((uint32_t)getpid());
	w64(0);
	w64(0);
	if (mmap(NULL, (size_t)page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) ==
	    MAP_FAILED)
		exit(3);
}

/* .eh_frame, 24 bytes after the first of the code, and .eh_frame_hdr after it; numbers are
 * relative to where they stand */
struct __attribute__((packed)) tables {
	uint32_t cie_bytes, cie_id;
	uint8_t cie[16];
	uint32_t fde_bytes, fde_cie;
	int32_t start;
	uint32_t bytes;
	uint8_t fde[24];
	uint32_t end;
	uint8_t hdr[4];
	int32_t frames;
	uint32_t n;
	int32_t first, first_fde;
};
#define FRAME_BYTES (offsetof(struct tables, hdr))

static void tell_tables(void)
{
	const int32_t fde_off = (int32_t)offsetof(struct tables, fde_bytes),
		hdr_off = (int32_t)FRAME_BYTES;
	const struct tables t = {
		.cie_bytes = 20, .cie = { 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90,
					  1 },
		.fde_bytes = 36, .fde_cie = (uint32_t)fde_off + 4,
		.start = -24 - (int32_t)offsetof(struct tables, start), .bytes = CODE_BYTES,
		.fde = { 0, 0x41, 0x0e, 16, 0x86, 2, 0x44, 0x0e, 48, 0x4b, 0x0e, 16, 0x41, 0x0e,
			 8 },
		.hdr = { 1, 0x1b, 3, 0x3b }, .frames = -hdr_off - 4, .n = 1, .first = -24 - hdr_off,
		.first_fde = fde_off - hdr_off,
	};

	record(4, 24 + sizeof(t));
	w64(sizeof(t));
	w64(sizeof(t) - FRAME_BYTES);
	w64(sizeof(t));
	fwrite(&t, sizeof(t), 1, dump);
}

static void tell_load(const char *name, const void *at, uint64_t nr)
{
	record(0, 40 + strlen(name) + 1 + CODE_BYTES);
	w32((uint32_t)getpid());
	w32((uint32_t)getpid());
	w64((uintptr_t)at);
	w64((uintptr_t)at);
	w64(CODE_BYTES);
	w64(nr);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(code, CODE_BYTES, 1, dump);
}

__attribute__((noinline)) static void touch_pages(void)
{
	volatile char *p = mmap(NULL, (size_t)(40 * page), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise((char *)p, (size_t)(40 * page), MADV_NOHUGEPAGE);
	for (long i = 0; i < 40; i++)
		p[i * page] = 1;
}

__attribute__((noinline)) static void middle(void)
{
	((void (*)(void (*)(void)))inner)(touch_pages);
	asm volatile("");	/* no jump in the place of the call */
}

int main(int argc, char **argv)
{
	char *outer;

	page = sysconf(_SC_PAGESIZE);
	outer = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (argc < 2 || outer == MAP_FAILED)
		return 1;
	inner = outer + 1024;
	memcpy(outer, code, sizeof(code));
	memcpy(inner, code, sizeof(code));
	begin_dump(argv[1]);
	if (argc < 3)
		tell_tables();
	tell_load("jit_outer", outer, 0);
	if (argc < 3)
		tell_tables();
	tell_load("jit_inner", inner, 1);
	if (argc > 2)
		fflush(dump);
	((void (*)(void (*)(void)))outer)(middle);
	fclose(dump);
	return 0;
}
