/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_POOL_H
#define BASE_POOL_H
/*
 * Worker threads for parallel-for loops. The caller's thread works too. Items are handed out in
 * index order; the caller merges by index, so that results do not depend on the number of threads.
 */
#include "util/base/types.h"

struct pool;

unsigned pool_default_threads(void);		/* one per online CPU */
/* n_threads 0: as many as by default. n_threads 1: no thread is made, everything runs in the
 * caller. */
struct pool *pool_new(unsigned n_threads);
void pool_free(struct pool *p);			/* NULL is fine */
unsigned pool_threads(const struct pool *p);	/* >= 1 */
/* Runs fn(ctx, item, worker) for item 0..n-1; worker < pool_threads(); returns when all are
 * done. One owner; not nested. */
void pool_run(struct pool *p, size_t n, void (*fn)(void *ctx, size_t item, unsigned worker),
	      void *ctx);

#endif
