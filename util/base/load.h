/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_LOAD_H
#define BASE_LOAD_H
/*
 * A load made of threads that follow a script: they burn CPU time, sleep, wait to be woken up, and
 * wake each other. The threads live only inside load_run().
 */
#include "util/base/err.h"
#include "util/base/types.h"

enum load_op {
	LOAD_RUN,	/* use ns of CPU time */
	LOAD_SLEEP,	/* for ns */
	LOAD_WAIT,	/* until there was a wake-up for each wait so far */
	LOAD_WAKE,	/* the task with that index */
};

struct load_step { enum load_op op; u32 task; u64 ns; };
struct load_task { const struct load_step *steps; size_t n; };
struct load_times { u64 wall_ns, cpu_ns; };	/* cpu_ns: of all threads */

/* Every task begins at once; returns when all are through. A script where a task waits more
 * often than it is woken never ends.
 * -EAGAIN: so many threads cannot be had. */
int load_run(const struct load_task *tasks, size_t n, struct load_times *out, struct err *err);

struct load_overhead { u64 run_ns, sleep_ns, run_test_ns, sleep_test_ns; };
/* What running and sleeping for no time cost, and how long 1 ms of each takes: some 20 ms of
 * tests. */
void load_measure(struct load_overhead *out);

#endif
