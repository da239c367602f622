// SPDX-License-Identifier: GPL-2.0-or-later
// The collections of perf bench, their suites, and the options of each.
#include "builtin-bench.h"

#define ST struct bench_messaging_opts
static const struct option_def messaging_options[] = {
	OPT_UINT('g', "group", ST, groups, "n", "how many groups (default 10)"),
	OPT_UINT('l', "nr_loops", ST, loops, "n",
		 "how many messages each sender sends to each receiver (default 100)"),
	OPT_FLAG('p', "pipe", ST, pipes, "pipes instead of socket pairs"),
	OPT_FLAG('t', "thread", ST, threads, "threads instead of processes"),
	OPT_END
};
#undef ST

#define ST struct bench_pipe_opts
static const struct option_def pipe_options[] = {
	OPT_STRING('G', "cgroups", ST, cgroups, "SEND,RECV",
		   "put sender and receiver into these cgroups"),
	OPT_UINT('l', "loop", ST, loops, "n", "how often (default 1000000)"),
	OPT_FLAG('n', "nonblocking", ST, nonblocking,
		 "pipes that do not block, waited for by epoll"),
	OPT_UINT('s', "write-size", ST, bytes, "n", "bytes of a message (default 4)"),
	OPT_FLAG('T', "threaded", ST, threads, "threads instead of processes"),
	OPT_END
};
#undef ST

#define ST struct bench_seccomp_opts
static const struct option_def seccomp_options[] = {
	OPT_U64('l', "loop", ST, loops, "n", "how many system calls (default 1000000)"),
	OPT_FLAG('s', "sync-mode", ST, sync,
		 "who answers and who waits run on the same CPU in turn"),
	OPT_END
};
#undef ST

#define ST struct bench_syscall_opts
static const struct option_def syscall_options[] = {
	OPT_UINT('l', "loop", ST, loops, "n",
		 "how many calls (default 10000000; 10000 of fork and execve)"),
	OPT_END
};
#undef ST

#define ST struct bench_mem_opts
#define MEM_OPTIONS \
	OPT_FLAG('c', "cycles", ST, cycles, "count cycles instead of measuring time"), \
	OPT_STRING('f', "function", ST, function, "all", \
		   "run this function; \"all\" runs all, \"help\" lists them"), \
	OPT_UINT('l', "nr_loops", ST, loops, "n", "how often (default 1)"), \
	OPT_STRING('p', "page", ST, page, "4KB", "the size of pages: 4KB, 2MB or 1GB"), \
	OPT_STRING('s', "size", ST, size, "1MB", \
		   "the size of the memory, in B, KB, MB, GB or TB")
static const struct option_def mem_options[] = {
	MEM_OPTIONS,
	OPT_STRING('k', "chunk", ST, chunk, "0",
		   "the size of what one call does, in B, KB, MB, GB or TB (default: all)"),
	OPT_END
};
static const struct option_def mmap_options[] = {
	MEM_OPTIONS,
	OPT_INT('r', "randomize", ST, seed, "n",
		"touch pages in an order that this seed decides"),
	OPT_UINT('t', "threads", ST, threads, "n", "how many threads at once (default 1)"),
	OPT_END
};
#undef ST

#define ST struct bench_find_bit_opts
static const struct option_def find_bit_options[] = {
	OPT_UINT('i', "outer-iterations", ST, outer, "n", "how many measurements (default 5)"),
	OPT_UINT('j', "inner-iterations", ST, inner, "n",
		 "how many operations of each (default 100000)"),
	OPT_END
};
#undef ST

#define ST struct bench_futex_opts
#define FUTEX_OPTIONS \
	OPT_UINT('b', "buckets", ST, buckets, "n", "hash buckets of the process (Linux 6.17)"), \
	OPT_FLAG('m', "mlockall", ST, lock_memory, "lock all memory"), \
	OPT_FLAG('S', "shared", ST, shared, "futexes for all processes, not private ones"), \
	OPT_FLAG('s', "silent", ST, silent, "only the averages"), \
	OPT_UINT('t', "threads", ST, threads, "n", "how many threads (default: CPUs)")
#define RUNTIME(text) OPT_UINT('r', "runtime", ST, seconds, "n", text)
static const struct option_def futex_hash_options[] = {
	FUTEX_OPTIONS,
	OPT_UINT('f', "futexes", ST, futexes, "n", "futexes of each thread (default 1024)"),
	RUNTIME("for how many seconds (default 10)"),
	OPT_END
};
static const struct option_def futex_wake_options[] = {
	FUTEX_OPTIONS,
	OPT_UINT('w', "nwakes", ST, wakes, "n", "threads that are woken at once (default 1)"),
	OPT_END
};
static const struct option_def futex_wake_parallel_options[] = {
	FUTEX_OPTIONS,
	OPT_UINT('w', "nwakers", ST, wakers, "n", "threads that wake others (default: as many)"),
	OPT_END
};
static const struct option_def futex_requeue_options[] = {
	FUTEX_OPTIONS,
	OPT_FLAG('B', "broadcast", ST, broadcast, "requeue all threads at once"),
	OPT_FLAG('p', "pi", ST, pi, "to a futex with priority inheritance"),
	OPT_UINT('q', "nrequeue", ST, requeues, "n",
		 "threads that are requeued at once (default 1)"),
	OPT_END
};
static const struct option_def futex_lock_pi_options[] = {
	FUTEX_OPTIONS,
	OPT_FLAG('M', "multi", ST, multi, "a futex for each thread"),
	RUNTIME("for how many seconds (default 10)"),
	OPT_END
};
#undef ST

#define ST struct bench_epoll_opts
#define EPOLL_OPTIONS \
	OPT_UINT('f', "nfds", ST, fds, "n", "descriptors of each thread (default 64)"), \
	OPT_UINT('N', "nested", ST, nesting, "n", "nest epoll descriptors so deep (default 0)"), \
	OPT_FLAG('n', "noaffinity", ST, no_affinity, "do not bind threads to CPUs"), \
	OPT_UINT('t', "threads", ST, threads, "n", "how many threads (default: CPUs)"), \
	RUNTIME("for how many seconds (default 8)")
static const struct option_def epoll_wait_options[] = {
	EPOLL_OPTIONS,
	OPT_FLAG('B', "nonblocking", ST, nonblocking, "do not block in epoll_wait(2)"),
	OPT_FLAG('E', "edge", ST, edge, "edge-triggered instead of level-triggered"),
	OPT_FLAG('m', "multiq", ST, multiq, "an epoll descriptor for each thread"),
	OPT_FLAG('R', "randomize", ST, random, "write in random order"),
	OPT_FLAG('S', "oneshot", ST, oneshot, "with EPOLLONESHOT"),
	OPT_END
};
static const struct option_def epoll_ctl_options[] = {
	EPOLL_OPTIONS,
	OPT_FLAG('R', "randomize", ST, random, "random operations on random descriptors"),
	OPT_END
};
#undef ST

#define ST struct bench_breakpoint_opts
static const struct option_def breakpoint_thread_options[] = {
	OPT_UINT('b', "breakpoints", ST, breakpoints, "n", "how many breakpoints (default 1)"),
	OPT_UINT('p', "parallelism", ST, parallelism, "n",
		 "how many threads start others at once (default 1)"),
	OPT_UINT('t', "threads", ST, threads, "n", "how many they start (default 1)"),
	OPT_END
};
static const struct option_def breakpoint_enable_options[] = {
	OPT_UINT('a', "active", ST, active, "n", "threads that run (default 0)"),
	OPT_UINT('p', "passive", ST, passive, "n", "threads that sleep (default 0)"),
	OPT_END
};
#undef ST

#define ST struct bench_uprobe_opts
static const struct option_def uprobe_options[] = {
	OPT_UINT('l', "loop", ST, loops, "n", "how many calls (default 1000)"),
	OPT_END
};
#undef ST

#define ST struct bench_internals_opts
#define ITERATIONS(l, text) OPT_UINT('i', l, ST, iterations, "n", text)
static const struct option_def synthesize_options[] = {
	ITERATIONS("single-iterations", "how often (default 10000)"),
	OPT_DEF('s', "st", FLAG, "accepted: perf has one thread that does this",
		.off = OPT_OFF(ST, single, bool)),
	OPT_END
};
static const struct option_def kallsyms_options[] = {
	ITERATIONS("iterations", "how often (default 10)"),
	OPT_END
};
static const struct option_def pmu_scan_options[] = {
	ITERATIONS("iterations", "how often (default 100)"),
	OPT_END
};
#undef ST

#define ST struct bench_open_opts
static const struct option_def open_options[] = {
	OPT_FLAG('a', "all-cpus", ST, system_wide, "open on all CPUs, for all tasks"),
	OPT_STRING('C', "cpu", ST, cpu_list, "cpu", "open on these CPUs"),
	OPT_STRING('e', "event", ST, event, "event", "open these events, see perf list"),
	ITERATIONS("iterations", "how often (default 100)"),
	OPT_UINT('n', "nr-events", ST, n_events, "n",
		 "open the events so many times (default 1)"),
	OPT_STRING('p', "pid", ST, pid, "pid", "of these processes"),
	OPT_STRING('t', "tid", ST, tid, "tid", "of these threads"),
	OPT_STRING('u', "uid", ST, user, "user", "of this user's processes"),
	OPT_FLAG(0, "per-thread", ST, per_thread, "for each thread, not for each CPU"),
	OPT_END
};
#undef ST

static const struct bench_messaging_opts messaging_defaults = BENCH_MESSAGING_DEFAULTS;
static const struct bench_pipe_opts pipe_defaults = BENCH_PIPE_DEFAULTS;
static const struct bench_seccomp_opts seccomp_defaults = BENCH_SECCOMP_DEFAULTS;
static const struct bench_syscall_opts syscall_defaults;
static const struct bench_mem_opts mem_defaults = BENCH_MEM_DEFAULTS;
static const struct bench_find_bit_opts find_bit_defaults = BENCH_FIND_BIT_DEFAULTS;
static const struct bench_futex_opts futex_defaults = BENCH_FUTEX_DEFAULTS;
static const struct bench_epoll_opts epoll_defaults = BENCH_EPOLL_DEFAULTS;
static const struct bench_breakpoint_opts breakpoint_defaults = BENCH_BREAKPOINT_DEFAULTS;
static const struct bench_uprobe_opts uprobe_defaults = BENCH_UPROBE_DEFAULTS;
static const struct bench_internals_opts synthesize_defaults = BENCH_SYNTHESIZE_DEFAULTS;
static const struct bench_internals_opts kallsyms_defaults = BENCH_KALLSYMS_DEFAULTS;
static const struct bench_internals_opts pmu_scan_defaults = BENCH_PMU_SCAN_DEFAULTS;
static const struct bench_open_opts open_defaults = BENCH_OPEN_DEFAULTS;

#define SUITE(n, h, fn, u, opts, dflts) { n, h, fn, u, opts, &dflts, sizeof(dflts) }

static const struct bench_suite sched_suites[] = {
	SUITE("messaging", "Benchmark for scheduling and IPC", bench_messaging, "sched messaging",
	      messaging_options, messaging_defaults),
	SUITE("pipe", "Benchmark for pipe() between two processes", bench_pipe, "sched pipe",
	      pipe_options, pipe_defaults),
	SUITE("seccomp-notify", "Benchmark for seccomp user notify", bench_seccomp,
	      "sched seccomp-notify", seccomp_options, seccomp_defaults),
	{ 0 }
};
static const struct bench_suite syscall_suites[] = {
	SUITE("basic", "Benchmark for basic getppid(2) calls", bench_syscall_basic, "syscall",
	      syscall_options, syscall_defaults),
	SUITE("getpgid", "Benchmark for getpgid(2) calls", bench_syscall_getpgid, "syscall",
	      syscall_options, syscall_defaults),
	SUITE("fork", "Benchmark for fork(2) calls", bench_syscall_fork, "syscall",
	      syscall_options, syscall_defaults),
	SUITE("execve", "Benchmark for execve(2) calls", bench_syscall_execve, "syscall",
	      syscall_options, syscall_defaults),
	{ 0 }
};
static const struct bench_suite mem_suites[] = {
	SUITE("memcpy", "Benchmark for memcpy() functions", bench_memcpy, "mem memcpy",
	      mem_options, mem_defaults),
	SUITE("memset", "Benchmark for memset() functions", bench_memset, "mem memset",
	      mem_options, mem_defaults),
	SUITE("find_bit", "Benchmark for find_bit() functions", bench_find_bit, "mem find_bit",
	      find_bit_options, find_bit_defaults),
	SUITE("mmap", "Benchmark for mmap() mappings", bench_mmap, "mem mmap", mmap_options,
	      mem_defaults),
	{ 0 }
};
static const struct bench_suite futex_suites[] = {
	SUITE("hash", "Benchmark for futex hash table", bench_futex_hash, "futex hash",
	      futex_hash_options, futex_defaults),
	SUITE("wake", "Benchmark for futex wake calls", bench_futex_wake, "futex wake",
	      futex_wake_options, futex_defaults),
	SUITE("wake-parallel", "Benchmark for parallel futex wake calls",
	      bench_futex_wake_parallel, "futex wake-parallel", futex_wake_parallel_options,
	      futex_defaults),
	SUITE("requeue", "Benchmark for futex requeue calls", bench_futex_requeue, "futex requeue",
	      futex_requeue_options, futex_defaults),
	SUITE("lock-pi", "Benchmark for futex lock_pi calls", bench_futex_lock_pi, "futex lock-pi",
	      futex_lock_pi_options, futex_defaults),
	{ 0 }
};
static const struct bench_suite epoll_suites[] = {
	SUITE("wait", "Benchmark epoll concurrent epoll_waits", bench_epoll_wait, "epoll wait",
	      epoll_wait_options, epoll_defaults),
	SUITE("ctl", "Benchmark epoll concurrent epoll_ctls", bench_epoll_ctl, "epoll ctl",
	      epoll_ctl_options, epoll_defaults),
	{ 0 }
};
static const struct bench_suite internals_suites[] = {
	SUITE("synthesize", "Benchmark perf event synthesis", bench_synthesize,
	      "internals synthesize", synthesize_options, synthesize_defaults),
	SUITE("kallsyms-parse", "Benchmark kallsyms parsing", bench_kallsyms_parse,
	      "internals kallsyms-parse", kallsyms_options, kallsyms_defaults),
	SUITE("evlist-open-close", "Benchmark evlist open and close", bench_open_close,
	      "internals evlist-open-close", open_options, open_defaults),
	SUITE("pmu-scan", "Benchmark sysfs PMU info scanning", bench_pmu_scan,
	      "internals pmu-scan", pmu_scan_options, pmu_scan_defaults),
	{ 0 }
};
static const struct bench_suite breakpoint_suites[] = {
	SUITE("thread", "Benchmark thread start/finish with breakpoints", bench_breakpoint_thread,
	      "breakpoint thread", breakpoint_thread_options, breakpoint_defaults),
	SUITE("enable", "Benchmark breakpoint enable/disable", bench_breakpoint_enable,
	      "breakpoint enable", breakpoint_enable_options, breakpoint_defaults),
	{ 0 }
};
static const struct bench_suite uprobe_suites[] = {
	SUITE("baseline", "Baseline libc usleep(1000) call", bench_uprobe_baseline, "uprobe",
	      uprobe_options, uprobe_defaults),
	{ 0 }
};

const struct bench_collection bench_collections[] = {
	{ "sched", "Scheduler and IPC benchmarks", sched_suites, "Run all scheduler benchmarks" },
	{ "syscall", "System call benchmarks", syscall_suites, "Run all syscall benchmarks" },
	{ "mem", "Memory access benchmarks", mem_suites, "Run all memory access benchmarks" },
	{ "futex", "Futex stressing benchmarks", futex_suites, "Run all futex benchmarks" },
	{ "epoll", "Epoll stressing benchmarks", epoll_suites, "Run all epoll benchmarks" },
	{ "internals", "Perf-internals benchmarks", internals_suites, NULL },
	{ "breakpoint", "Breakpoint benchmarks", breakpoint_suites,
	  "Run all breakpoint benchmarks" },
	{ "uprobe", "uprobe benchmarks", uprobe_suites, NULL },
	{ 0 }
};
