/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H
/*
 * Allocation that cannot fail: on out of memory the process prints one line and exits with status
 * 1. A size that came from a file must be checked against what the file can hold before it gets
 * here. Any thread.
 */
#include "util/base/types.h"

void *xmalloc(size_t size);
void *xzalloc(size_t size);
void *xcalloc(size_t n, size_t size);	/* dies on n * size overflow */
void *xaligned(size_t align, size_t size);	/* align: a power of two that divides size */
/* Zeroed memory for a table that is probed all over. Its pages are there at once: one that is
 * read before it is written is faulted twice, and the second time all CPUs of the process are
 * interrupted. Large ones lie in huge pages where the system gives them. Freed by free(). */
void *xtable(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);		/* NULL gives NULL */
char *xstrndup(const char *s, size_t n);
void *xmemdup(const void *p, size_t n);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* For what runs long: whatever is large goes back to the system when it is freed, instead of
 * leaving holes. Before the first thread. */
void xalloc_give_back(void);

#define xnew(type) ((type *)xzalloc(sizeof(type)))

#endif
