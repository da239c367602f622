// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code made at run time, as a JIT compiler makes it: two functions in anonymous memory, described
 * in ./jit-PID.dump (the jitdump format, version 1, of the kernel's documentation). The file is
 * mapped executable for a moment: that is how a recording learns of it.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/base/types.h"
#include "util/test/workloads-priv.h"

#if defined(__x86_64__)
/* 1: dec %rdi; jne 1b; ret */
static const u8 code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
/* 1: subs x0, x0, 1; b.ne 1b; ret */
static const u32 code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
#define MACHINE EM_AARCH64
#endif

struct dump_header { u32 magic, version, bytes, machine, pad, pid; u64 time_ns, flags; };
struct dump_load { u32 id, bytes; u64 time_ns; u32 pid, tid; u64 vma, va, code_bytes, index; };
_Static_assert(sizeof(struct dump_header) == 40 && sizeof(struct dump_load) == 56,
	       "jitdump version 1");

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

#ifdef MACHINE
static void put_load(FILE *f, u64 index, const char *name, const void *at)
{
	const struct dump_load l = { .bytes = (u32)(sizeof(l) + strlen(name) + 1 + sizeof(code)),
				     .time_ns = now_ns(),
		.pid = (u32)getpid(), .tid = (u32)syscall(SYS_gettid), .vma = (u64)(uintptr_t)at,
		.va = (u64)(uintptr_t)at,
		.code_bytes = sizeof(code), .index = index };

	fwrite(&l, sizeof(l), 1, f);
	fwrite(name, strlen(name) + 1, 1, f);
	fwrite(code, sizeof(code), 1, f);
}

static void make_and_run(FILE *f, u8 *page, size_t page_bytes)
{
	static const char *const names[] = { "jitted_first", "jitted_second" };

	for (size_t i = 0; i < 2; i++) {
		u8 *at = page + i * 256;
		void (*fn)(unsigned long) = (void (*)(unsigned long))(uintptr_t)at;

		memcpy(at, code, sizeof(code));
		__builtin___clear_cache((char *)at, (char *)at + sizeof(code));
		put_load(f, i, names[i], at);
		fflush(f);
		fn(100000000);
	}
	munmap(page, page_bytes);
}

int run_jitdump(int n, const char **args, struct err *err)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const struct dump_header h = { .magic = 0x4A695444, .version = 1, .bytes = sizeof(h),
				       .machine = MACHINE,
		.pid = (u32)getpid(), .time_ns = now_ns() };
	char path[64];
	void *mark, *page;
	FILE *f;
	int fd, ret = 0;
	bool failed;

	(void)n;
	(void)args;
	snprintf(path, sizeof(path), "jit-%d.dump", (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	f = fd >= 0 ? fdopen(fd, "w+") : NULL;
	if (!f)
		return err_sys(err, errno, "workload 'jitdump': cannot make '%s'", path);
	fwrite(&h, sizeof(h), 1, f);
	fflush(f);
	mark = mmap(NULL, page_bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	page = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mark == MAP_FAILED || page == MAP_FAILED)
		ret = err_sys(err, errno, "workload 'jitdump': cannot map executable memory");
	else
		make_and_run(f, page, page_bytes);
	failed = ferror(f) != 0;
	if ((fclose(f) || failed) && !ret)
		ret = err_sys(err, errno, "workload 'jitdump': cannot write '%s'", path);
	return ret;
}
#else
int run_jitdump(int n, const char **args, struct err *err)
{
	(void)n;
	(void)args;
	return err_set(err, ENOTSUP, "workload 'jitdump': not for this instruction set");
}
#endif
