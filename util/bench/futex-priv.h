/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BENCH_FUTEX_PRIV_H
#define BENCH_FUTEX_PRIV_H
/* What the suites of futex share. */
#include <linux/futex.h>

#include "util/bench/bench-priv.h"

/* 0 or -1 with errno, as futex(2). shared: for other processes, too. */
int futex_wait(u32 *word, u32 value, bool shared);
int futex_wake(u32 *word, int n, bool shared);
int futex_lock_pi(u32 *word, bool shared);
int futex_unlock_pi(u32 *word, bool shared);
/* Wakes one, and lets requeue others wait for "to": how many both were. pi: to is a PI futex. */
int futex_cmp_requeue(u32 *from, u32 value, u32 *to, int requeue,
		      const struct bench_futex_opts *o);
/* The wait of those that are moved to a PI futex: for a second at most, as nobody else than who
 * moves them can wake them. */
int futex_wait_requeue_pi(u32 *word, u32 value, u32 *to, bool shared);

/* What all do before (the hash's size, locked memory), and say after. */
int futex_prepare(const struct bench_futex_opts *o, struct err *err);
void futex_print_hash(const struct bench *b, const struct bench_futex_opts *o);
static inline const char *futex_kind(const struct bench_futex_opts *o)
{
	return o->shared ? "shared" : "private";
}
/* Threads that have been let go need some time until they block. */
void futex_let_block(void);

#endif
