// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"
#include "util/analysis/futex.h"
#include "util/analysis/lock.h"

/* The bits of contention_begin's flags. */
enum { SPIN = 1, READ = 2, WRITE = 4, RT = 8, PERCPU = 16, MUTEX = 32 };

static u64 mask_of(const char *types)
{
	u64 mask;

	return lock_types_mask(types, &mask, NULL) ? 0 : mask;
}

TEST(lock_types_as_flags)
{
	CHECK_EQ(mask_of(NULL), ~0ULL);
	CHECK(mask_of("mutex") >> MUTEX & 1);
	CHECK(mask_of("mutex") >> (MUTEX | SPIN) & 1);
	CHECK(!(mask_of("mutex") >> SPIN & 1));
	CHECK(mask_of("spinlock") >> SPIN & 1);
	CHECK(!(mask_of("spinlock") >> (SPIN | READ) & 1));
	CHECK(mask_of("rwlock:R") >> (SPIN | READ) & 1);
	CHECK_EQ(mask_of("rwsem"), mask_of("rwsem:R,rwsem:W"));
	CHECK(mask_of("rwsem:R") >> READ & 1);
	CHECK(mask_of("pcpu-sem:W") >> (PERCPU | WRITE) & 1);
	CHECK_EQ(mask_of("semaphore"), 1ULL);
	CHECK_EQ(mask_of("rtmutex"), mask_of("rt-mutex"));
	CHECK(mask_of("rt-mutex") >> RT & 1);
	CHECK_EQ(mask_of("percpu-rwmem"), mask_of("pcpu-sem"));
	CHECK_EQ(mask_of("nothing"), 0ULL);
}

TEST(futex_filters)
{
	struct futex_model *m = futex_new(&(struct futex_opts){ .types = "mutex,rwlock,once" },
					  false, NULL);

	CHECK(m != NULL);
	futex_free(m);
	CHECK(futex_new(&(struct futex_opts){ .types = "spinlock" }, false, NULL) == NULL);
	CHECK(futex_new(&(struct futex_opts){ .types = "," }, false, NULL) == NULL);
	CHECK(futex_new(&(struct futex_opts){ .locks = "," }, false, NULL) == NULL);
}
