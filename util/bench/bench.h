/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H
/*
 * perf bench: what operations of the kernel and of perf itself cost. A file a suite; each runs in
 * the foreground, prints what it measured to bench.out in the form that upstream perf has, and
 * leaves the process as it found it. What an operation is, how often it is done and by whom is the
 * same as there, so that figures can be compared. Options come as structs whose initial values are
 * in BENCH_..._DEFAULTS; -errno and a message where something cannot be measured. One suite at a
 * time, by a process that has no other threads that work.
 */
#include <stdio.h>

#include "util/base/err.h"
#include "util/os/os.h"

struct bench {
	FILE *out;		/* borrowed */
	struct os *os;
	bool simple;		/* -f simple: only the figure */
	bool verbose, quiet;	/* of the suites that have them */
	int repeat;		/* runs, of the suites that have runs; >= 1 */
	/* of the suites of uprobe: how long those before took, for the difference; 0: none */
	u64 baseline_us, previous_us;
};

#define BENCH_REPEAT 10

struct bench_messaging_opts { int groups, loops; bool pipes, threads; };
#define BENCH_MESSAGING_DEFAULTS { .groups = 10, .loops = 100 }
int bench_messaging(struct bench *b, const void *opts, struct err *err);

/* cgroups: "SENDER,RECEIVER", or NULL */
struct bench_pipe_opts { int loops, bytes; bool nonblocking, threads; const char *cgroups; };
#define BENCH_PIPE_DEFAULTS { .loops = 1000000, .bytes = sizeof(int) }
int bench_pipe(struct bench *b, const void *opts, struct err *err);

struct bench_seccomp_opts { u64 loops; bool sync; };
#define BENCH_SECCOMP_DEFAULTS { .loops = 1000000 }
int bench_seccomp(struct bench *b, const void *opts, struct err *err);

struct bench_syscall_opts { int loops; };	/* 0: as many as the suite has */
int bench_syscall_basic(struct bench *b, const void *opts, struct err *err);
int bench_syscall_getpgid(struct bench *b, const void *opts, struct err *err);
int bench_syscall_fork(struct bench *b, const void *opts, struct err *err);
int bench_syscall_execve(struct bench *b, const void *opts, struct err *err);

struct bench_mem_opts {
	const char *size, *page, *chunk;	/* "1MB" */
	const char *function;			/* "all", "help", or a name */
	int loops, seed, threads;		/* seed 0: pages in their order */
	bool cycles;
};
#define BENCH_MEM_DEFAULTS { "1MB", "4KB", "0", "all", .loops = 1, .threads = 1 }
int bench_memcpy(struct bench *b, const void *opts, struct err *err);
int bench_memset(struct bench *b, const void *opts, struct err *err);
int bench_mmap(struct bench *b, const void *opts, struct err *err);

struct bench_find_bit_opts { int outer, inner; };
#define BENCH_FIND_BIT_DEFAULTS { .outer = 5, .inner = 100000 }
int bench_find_bit(struct bench *b, const void *opts, struct err *err);

struct bench_futex_opts {
	int threads, seconds, futexes;	/* threads 0: one for each CPU */
	int buckets;			/* of the process's hash; < 0: as the kernel likes */
	int wakes, wakers, requeues;	/* at once; wakers 0: as many as threads */
	bool shared, silent, lock_memory, multi, broadcast, pi;
};
#define BENCH_FUTEX_DEFAULTS { .seconds = 10, .futexes = 1024, .buckets = -1, .wakes = 1, \
			       .requeues = 1 }
int bench_futex_hash(struct bench *b, const void *opts, struct err *err);
int bench_futex_wake(struct bench *b, const void *opts, struct err *err);
int bench_futex_wake_parallel(struct bench *b, const void *opts, struct err *err);
int bench_futex_requeue(struct bench *b, const void *opts, struct err *err);
int bench_futex_lock_pi(struct bench *b, const void *opts, struct err *err);

struct bench_epoll_opts {
	int threads, seconds, fds, nesting;	/* threads 0: one for each CPU but the writer's */
	bool no_affinity, random, oneshot, edge, nonblocking, multiq;
};
#define BENCH_EPOLL_DEFAULTS { .seconds = 8, .fds = 64 }
int bench_epoll_wait(struct bench *b, const void *opts, struct err *err);
int bench_epoll_ctl(struct bench *b, const void *opts, struct err *err);

struct bench_breakpoint_opts { int breakpoints, parallelism, threads, active, passive; };
#define BENCH_BREAKPOINT_DEFAULTS { .breakpoints = 1, .parallelism = 1, .threads = 1 }
int bench_breakpoint_thread(struct bench *b, const void *opts, struct err *err);
int bench_breakpoint_enable(struct bench *b, const void *opts, struct err *err);

struct bench_uprobe_opts { int loops; };
#define BENCH_UPROBE_DEFAULTS { .loops = 1000 }
int bench_uprobe_baseline(struct bench *b, const void *opts, struct err *err);

struct bench_internals_opts { int iterations; bool single; };
#define BENCH_SYNTHESIZE_DEFAULTS { .iterations = 10000 }
#define BENCH_KALLSYMS_DEFAULTS { .iterations = 10 }
#define BENCH_PMU_SCAN_DEFAULTS { .iterations = 100 }
int bench_synthesize(struct bench *b, const void *opts, struct err *err);
int bench_kallsyms_parse(struct bench *b, const void *opts, struct err *err);
int bench_pmu_scan(struct bench *b, const void *opts, struct err *err);

/* Events that are opened and closed: event (NULL: one that counts nothing), n_events times. */
struct bench_open_opts {
	int iterations, n_events;
	const char *event, *pid, *tid, *cpu_list, *user;
	bool system_wide, per_thread;
};
#define BENCH_OPEN_DEFAULTS { .iterations = 100, .n_events = 1 }
int bench_open_close(struct bench *b, const void *opts, struct err *err);

#endif
