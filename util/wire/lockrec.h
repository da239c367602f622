/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_LOCKREC_H
#define WIRE_LOCKREC_H
/*
 * Waits for the kernel's locks, as BPF programs sum them up. Shared by the programs
 * (util/bpf/lockstat.bpf.c) and who reads the sums, so only kernel types.
 */
#include <linux/types.h>

#define LOCKREC_MAX_FRAMES 128

/* What tells sums apart; members of the key that do not are 0. */
enum lockrec_part {
	LOCKREC_STACK = 1, LOCKREC_TASK = 2, LOCKREC_ADDR = 4, LOCKREC_CGROUP = 8,
	/* tid and comm, and with LOCKREC_STACK the stack, are those of who has the lock when the
	 * wait begins */
	LOCKREC_OWNER = 16,
	/* it does not: how often waits were how long, besides the sums */
	LOCKREC_TIMES = 32,
};

struct lockrec_key {
	__u64 stack;		/* hash of its frames; 0: there is none */
	__u64 addr, cgroup;
	__u32 tid, flags;	/* flags: of contention_begin */
};

/* What is known of a lock without a name of its own. */
enum lockrec_known { LOCKREC_UNKNOWN, LOCKREC_MMAP_LOCK, LOCKREC_SIGLOCK };

struct lockrec_sum {
	__u64 n, total_ns, max_ns, min_ns;
	char comm[16];		/* of the task */
	__u32 known, id;	/* id: of LOCKREC_TIMES, tells sums apart */
};

/* Of LOCKREC_TIMES: how many waits of a sum are in a step of struct ns_hist. */
struct lockrec_step { __u32 id, step; };

/* As it goes through a stream, as raw data; with LOCKREC_TIMES a struct ns_hist is behind it. */
struct lockrec {
	struct lockrec_key key;
	struct lockrec_sum sum;
};
_Static_assert(sizeof(struct lockrec) == 32 + 56, "no gaps");

/* What was not counted, and why. */
struct lockrec_lost {
	__u64 n_waits;		/* no room for a wait that begins */
	__u64 n_sums, sums_ns;	/* no room for a sum, and how long those waits were */
	__u64 n_stacks;		/* counted, but without their stack */
	__u64 n_steps;		/* in the sums, but not in how often they were so long */
};

#endif
