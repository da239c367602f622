// SPDX-License-Identifier: GPL-2.0-or-later
// The vdso, which is no file: the kernel maps it into each program.
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/os/kernel.h"
#include "util/os/procfs.h"

#define LEAST_BYTES 1024
#define MOST_BYTES 65536
#define PAGE 4096u

/* The section headers are its last part. n: bytes that are there; 0: it is none. */
static size_t image_bytes(const u8 *base, size_t n)
{
	const Elf64_Ehdr *h64 = (const void *)base;
	const Elf32_Ehdr *h32 = (const void *)base;
	u64 bytes;

	if (n < LEAST_BYTES || memcmp(base, ELFMAG, SELFMAG))
		return 0;
	if (base[EI_CLASS] == ELFCLASS64)
		bytes = h64->e_shoff + (u64)h64->e_shnum * h64->e_shentsize;
	else
		bytes = h32->e_shoff + (u64)h32->e_shnum * h32->e_shentsize;
	return bytes < LEAST_BYTES || bytes > n ? 0 : bytes;
}

static u8 *own_image(size_t *bytes)
{
	const u8 *base = (const u8 *)getauxval(AT_SYSINFO_EHDR);

	*bytes = base ? image_bytes(base, MOST_BYTES) : 0;
	return *bytes ? xmemdup(base, *bytes) : NULL;
}

#ifdef __x86_64__
/* asm/prctl.h; a process can have one vdso mapped, of any sort */
#ifndef ARCH_MAP_VDSO_32
#define ARCH_MAP_VDSO_32 0x2002
#endif

#define MAP_AT_VA 0x10000000ul
#define MAX_OWN 8

struct own { u64 start_va[MAX_OWN], end_va[MAX_OWN]; int n; };

static int note_own(void *ctx, const struct procfs_map *m)
{
	struct own *o = ctx;

	if ((strcmp(m->path, "[vdso]") && !str_has_prefix(m->path, "[vvar")) || o->n == MAX_OWN)
		return 0;
	o->start_va[o->n] = m->start_va;
	o->end_va[o->n++] = m->end_va;
	return 0;
}

/* In the child, a copy of a process with threads: system calls only. What cannot be read there
 * writes nothing. */
static _Noreturn void give_image(const struct own *o, int to)
{
	for (int i = 0; i < o->n; i++)
		syscall(SYS_munmap, o->start_va[i], o->end_va[i] - o->start_va[i]);
	if (syscall(SYS_arch_prctl, ARCH_MAP_VDSO_32, MAP_AT_VA) > 0)
		for (unsigned long at = MAP_AT_VA; at < MAP_AT_VA + MOST_BYTES; at += PAGE)
			syscall(SYS_write, to, at, PAGE);
	for (;;)
		syscall(SYS_exit_group, 0);
}

static size_t read_all(int fd, u8 *to, size_t max)
{
	size_t n = 0;
	ssize_t got;

	while (n < max && (got = read(fd, to + n, max - n)) > 0)
		n += (size_t)got;
	return n;
}

/* A child has no use for its own vdso: it maps the other in its place. It sends no signal when
 * it ends: nobody takes it for the program that is recorded. */
static u8 *image32(const struct os *os, size_t *bytes)
{
	struct own own = { .n = 0 };
	u8 *all, *image = NULL;
	size_t n;
	int pipe_fds[2];
	long pid;

	*bytes = 0;
	if (procfs_maps(os, getpid(), 0, note_own, &own, NULL) ||
	    pipe2(pipe_fds, O_CLOEXEC))
		return NULL;
	pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
	if (!pid)
		give_image(&own, pipe_fds[1]);
	close(pipe_fds[1]);
	all = xmalloc(MOST_BYTES);
	n = pid > 0 ? read_all(pipe_fds[0], all, MOST_BYTES) : 0;
	for (size_t at = 0; at < n && !image; at += PAGE) {
		*bytes = image_bytes(all + at, n - at);
		if (*bytes)
			image = xmemdup(all + at, *bytes);
	}
	free(all);
	close(pipe_fds[0]);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, __WALL);
	return image;
}
#else
static u8 *image32(const struct os *os UNUSED, size_t *bytes)
{
	*bytes = 0;
	return NULL;
}
#endif

u8 *os_vdso_image(const struct os *os, bool is32, size_t *bytes)
{
	*bytes = 0;
	if (os->fake)
		return NULL;
	return is32 ? image32(os, bytes) : own_image(bytes);
}
