// SPDX-License-Identifier: GPL-2.0-or-later
// Ways to copy and to fill memory: the C library's, and those that kernels use.
#include "util/bench/mem-priv.h"

#include <string.h>

static void libc_copy(void *dst, const void *src, size_t n)
{
	memcpy(dst, src, n);
}

static void libc_set(void *dst, size_t n)
{
	memset(dst, 0, n);
}

#ifdef __x86_64__
/* 32 bytes a turn in four registers, the rest byte by byte. */
static void unrolled_copy(void *dst, const void *src, size_t n)
{
	size_t turns = n / 32, rest = n % 32;

	asm volatile("	test %[turns], %[turns]\n"
		     "	jz 2f\n"
		     "1:	movq 0(%[src]), %%r8\n"
		     "	movq 8(%[src]), %%r9\n"
		     "	movq 16(%[src]), %%r10\n"
		     "	movq 24(%[src]), %%r11\n"
		     "	movq %%r8, 0(%[dst])\n"
		     "	movq %%r9, 8(%[dst])\n"
		     "	movq %%r10, 16(%[dst])\n"
		     "	movq %%r11, 24(%[dst])\n"
		     "	lea 32(%[src]), %[src]\n"
		     "	lea 32(%[dst]), %[dst]\n"
		     "	dec %[turns]\n"
		     "	jnz 1b\n"
		     "2:	rep movsb\n"
		     : [turns] "+r" (turns), [dst] "+D" (dst), [src] "+S" (src), "+c" (rest)
		     :
		     : "r8", "r9", "r10", "r11", "memory", "cc");
}

static void movsq_copy(void *dst, const void *src, size_t n)
{
	size_t words = n / 8, rest = n % 8;

	asm volatile("rep movsq\n	mov %[rest], %%rcx\n	rep movsb"
		     : "+D" (dst), "+S" (src), "+c" (words)
		     : [rest] "r" (rest)
		     : "memory");
}

/* 64 bytes a turn in eight stores, the rest byte by byte. */
static void unrolled_set(void *dst, size_t n)
{
	size_t turns = n / 64, rest = n % 64;

	asm volatile("	test %[turns], %[turns]\n"
		     "	jz 2f\n"
		     "1:	dec %[turns]\n"
		     "	movq %%rax, 0(%[dst])\n"
		     "	movq %%rax, 8(%[dst])\n"
		     "	movq %%rax, 16(%[dst])\n"
		     "	movq %%rax, 24(%[dst])\n"
		     "	movq %%rax, 32(%[dst])\n"
		     "	movq %%rax, 40(%[dst])\n"
		     "	movq %%rax, 48(%[dst])\n"
		     "	movq %%rax, 56(%[dst])\n"
		     "	lea 64(%[dst]), %[dst]\n"
		     "	jnz 1b\n"
		     "2:	rep stosb\n"
		     : [turns] "+r" (turns), [dst] "+D" (dst), "+c" (rest)
		     : "a" (0UL)
		     : "memory", "cc");
}

static void stosq_set(void *dst, size_t n)
{
	size_t words = n / 8, rest = n % 8;

	asm volatile("rep stosq\n	mov %[rest], %%rcx\n	rep stosb"
		     : "+D" (dst), "+c" (words)
		     : [rest] "r" (rest), "a" (0UL)
		     : "memory");
}
#endif

const struct mem_function mem_copies[] = {
	{ "default", "Default memcpy() provided by glibc", { .copy = libc_copy } },
#ifdef __x86_64__
	{ "x86-64-unrolled", "unrolled memcpy() in arch/x86/lib/memcpy_64.S",
	  { .copy = unrolled_copy } },
	{ "x86-64-movsq", "movsq-based memcpy() in arch/x86/lib/memcpy_64.S",
	  { .copy = movsq_copy } },
#endif
	{ 0 }
};

const struct mem_function mem_sets[] = {
	{ "default", "Default memset() provided by glibc", { .set = libc_set } },
#ifdef __x86_64__
	{ "x86-64-unrolled", "unrolled memset() in arch/x86/lib/memset_64.S",
	  { .set = unrolled_set } },
	{ "x86-64-stosq", "movsq-based memset() in arch/x86/lib/memset_64.S",
	  { .set = stosq_set } },
#endif
	{ 0 }
};
