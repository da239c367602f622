// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/xalloc.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/vec.h"

#define LARGE (256 << 10)

static void __attribute__((noreturn, cold)) out_of_memory(void)
{
	static const char text[] = "fatal: out of memory\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)n;
	_exit(1);
}

#define HUGE_PAGE_BYTES (2u << 20)

/* Whole huge pages, taken as such where they are touched: fewer page faults, fewer misses of the
 * TLB. */
static void *huge(size_t bytes)
{
	size_t whole;
	void *p;

	if (__builtin_add_overflow(bytes, HUGE_PAGE_BYTES - 1, &whole))
		out_of_memory();
	whole &= ~(size_t)(HUGE_PAGE_BYTES - 1);
	p = xaligned(HUGE_PAGE_BYTES, whole);
	madvise(p, whole, MADV_HUGEPAGE);
	return p;
}

void *xmalloc(size_t size)
{
	void *p;

	if (size >= 2 * HUGE_PAGE_BYTES)
		return huge(size);
	p = malloc(size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *xzalloc(size_t size)
{
	return xcalloc(1, size);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = n && size ? calloc(n, size) : calloc(1, 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xaligned(size_t align, size_t size)
{
	void *p = aligned_alloc(align, size);

	if (!p)
		out_of_memory();
	return p;
}

void *xtable(size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory();
	p = bytes < HUGE_PAGE_BYTES / 2 ? xmalloc(bytes) : huge(bytes);
	return memset(p, 0, bytes);
}

static void *grow_huge(void *p, size_t had, size_t size)
{
	void *q = huge(size);

	if (had)
		memcpy(q, p, had);
	free(p);
	return q;
}

/* Where it grows into huge pages it is copied there. */
void *xrealloc(void *p, size_t size)
{
	const size_t had = p && size >= HUGE_PAGE_BYTES ? malloc_usable_size(p) : 0;

	if (size >= HUGE_PAGE_BYTES && had < size)
		return grow_huge(p, had, size);
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory();
	return xrealloc(p, bytes);
}

char *xstrdup(const char *s)
{
	return s ? xmemdup(s, strlen(s) + 1) : NULL;
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = xmalloc(len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

void *xmemdup(const void *p, size_t n)
{
	void *q = xmalloc(n);

	if (n)
		memcpy(q, p, n);
	return q;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s = NULL;

	va_start(ap, fmt);
	int n = vasprintf(&s, fmt, ap);

	va_end(ap);
	if (n < 0)
		out_of_memory();
	return s;
}

void *vec_grow_(void *v, size_t *cap, size_t need, size_t elem_bytes)
{
	size_t n = *cap < 8 ? 8 : *cap + *cap / 2;

	if (n < need)
		n = need;
	v = xreallocarray(v, n, elem_bytes);
	*cap = n;
	return v;
}

/* Else glibc keeps ever larger pieces in one heap, which only shrinks at its end. */
void xalloc_give_back(void)
{
	mallopt(M_MMAP_THRESHOLD, LARGE);
	mallopt(M_TRIM_THRESHOLD, LARGE);
}
