/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BENCH_MEM_PRIV_H
#define BENCH_MEM_PRIV_H
#include "util/bench/bench-priv.h"

struct mem_args {
	const struct bench_mem_opts *o;
	u64 bytes, page_bytes, chunk_bytes;	/* chunk: of one call, never 0 */
};

struct mem_result { u64 us, cycles; };

/* One way to do it. Does it o->loops times, and says how long that took. */
struct mem_function {
	const char *name, *help;
	union {
		void (*copy)(void *dst, const void *src, size_t n);
		void (*set)(void *dst, size_t n);
		int map_flags;
	};
};

/* Ended by a name of NULL. */
extern const struct mem_function mem_copies[], mem_sets[];

/* A suite: what is done before and after, and between. */
struct mem_suite {
	const struct mem_function *functions;
	int (*run)(const struct mem_suite *s, const struct mem_function *f,
		   const struct mem_args *a, struct mem_result *r, struct err *err);
	int counter;		/* of cycles; < 0: time is asked for */
};

struct mem_watch { u64 us, cycles; };
void mem_watch_start(const struct mem_suite *s, struct mem_watch *w);
void mem_watch_stop(const struct mem_suite *s, const struct mem_watch *w, struct mem_result *r);
/* The flags of mmap(2) for such pages. */
int mem_page_flags(const struct mem_args *a);
int mem_run_suite(struct bench *b, struct mem_suite *s, const struct bench_mem_opts *o,
		  struct err *err);

#endif
