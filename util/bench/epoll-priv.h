/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BENCH_EPOLL_PRIV_H
#define BENCH_EPOLL_PRIV_H
/* What the suites of epoll share. */
#include <sys/epoll.h>

#include "util/bench/bench-priv.h"

struct epoll_worker {
	struct epoll_bench *all;
	int epoll;		/* its own or the common one */
	int *fds;		/* eventfds */
	u64 n[3];		/* operations */
	u64 seed;
	int code;
};

struct epoll_bench {
	struct bench *b;
	const struct bench_epoll_opts *o;
	struct gang g;
	struct epoll_worker *workers;
	int n;
	int epoll;		/* the one that all share */
	int_vec nested;		/* epoll descriptors above it */
	u64 us;
};

/* Makes workers and their descriptors; adds: they are in their epoll from the beginning. threads:
 * as many if the options do not say. */
int epoll_bench_init(struct epoll_bench *e, bool adds, int threads, struct err *err);
/* Runs fn in each worker's thread for the time that the options say, with other beside them. */
int epoll_bench_run(struct epoll_bench *e, void *(*fn)(void *), void *(*other)(void *),
		    struct err *err);
void epoll_bench_release(struct epoll_bench *e);
/* "[thread  0] fdmap: 0x... ... 0x... [ " */
void epoll_print_worker(const struct epoll_bench *e, int i);
/* Of a series that a worker's or a writer's seed begins. */
u32 bench_random(u64 *seed);

#endif
