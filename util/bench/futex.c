// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bench/futex-priv.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef PR_FUTEX_HASH	/* Linux 6.17 */
#define PR_FUTEX_HASH 78
#define PR_FUTEX_HASH_SET_SLOTS 1
#define PR_FUTEX_HASH_GET_SLOTS 2
#endif

struct call { int op; u32 value; const void *timeout_or_n; u32 *to; u32 value3; };

static int futex(u32 *word, const struct call *c, bool shared)
{
	return (int)syscall(SYS_futex, word, c->op | (shared ? 0 : FUTEX_PRIVATE_FLAG), c->value,
			    c->timeout_or_n, c->to, c->value3);
}

int futex_wait(u32 *word, u32 value, bool shared)
{
	return futex(word, &(struct call){ .op = FUTEX_WAIT, .value = value }, shared);
}

int futex_wake(u32 *word, int n, bool shared)
{
	return futex(word, &(struct call){ .op = FUTEX_WAKE, .value = (u32)n }, shared);
}

int futex_lock_pi(u32 *word, bool shared)
{
	return futex(word, &(struct call){ .op = FUTEX_LOCK_PI }, shared);
}

int futex_unlock_pi(u32 *word, bool shared)
{
	return futex(word, &(struct call){ .op = FUTEX_UNLOCK_PI }, shared);
}

int futex_cmp_requeue(u32 *from, u32 value, u32 *to, int requeue, const struct bench_futex_opts *o)
{
	const struct call c = { o->pi ? FUTEX_CMP_REQUEUE_PI : FUTEX_CMP_REQUEUE, o->pi ? 1 : 0,
				(const void *)(uintptr_t)requeue, to, value };

	return futex(from, &c, o->shared);
}

int futex_wait_requeue_pi(u32 *word, u32 value, u32 *to, bool shared)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	return futex(word, &(struct call){ FUTEX_WAIT_REQUEUE_PI, value, &until, to, 0 }, shared);
}

int futex_prepare(const struct bench_futex_opts *o, struct err *err)
{
	if (o->lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE))
		return err_sys(err, errno, "cannot lock memory (-m)");
	if (o->buckets >= 0 &&
	    prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_SET_SLOTS, (unsigned long)o->buckets, 0, 0)) {
		err_sys(err, errno, "cannot have %d hash buckets for futexes (-b)", o->buckets);
		if (errno == EINVAL)
			err_hint(err, "powers of 2, or 0 for the hash of all processes; Linux 6.17 "
				      "and later");
		return -errno;
	}
	return 0;
}

void futex_print_hash(const struct bench *b, const struct bench_futex_opts *o)
{
	const int n = prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_GET_SLOTS, 0, 0, 0);

	if (n <= 0)	/* also of kernels where there is no other */
		fprintf(b->out, "Futex hashing: global hash\n");
	else if (o->buckets < 0)
		fprintf(b->out, "Futex hashing: auto resized to %d buckets\n", n);
	else
		fprintf(b->out, "Futex hashing: %d hash buckets\n", n);
	if (o->lock_memory)
		munlockall();
}

void futex_let_block(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
}
