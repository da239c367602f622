/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_FUTEXREC_H
#define WIRE_FUTEXREC_H
/*
 * Waits for futexes, as BPF programs sum them up. Shared by the programs (util/bpf/futexstat.bpf.c)
 * and who reads the sums, so only kernel types.
 */
#include <linux/types.h>

#define FUTEXREC_MAX_FRAMES 64
#define FUTEXREC_DUMP_BYTES 8192
#define FUTEXREC_DUMP_CHUNK 512
#define FUTEXREC_REGS 34
#define FUTEXREC_STEPS 480		/* as in analysis/ns-hist.h */

/* Whose sum it is: of who waited; of who had the lock then, or woke who waited; or how long all
 * waits of a row were. */
enum futexrec_side { FUTEXREC_WAITER, FUTEXREC_HOLDER, FUTEXREC_TIMES };
/* What the futex is, as far as its word tells. */
enum futexrec_kind { FUTEXREC_OTHER, FUTEXREC_MUTEX, FUTEXREC_PI };
enum futexrec_rows { FUTEXREC_BY_LOCK, FUTEXREC_BY_WAITER, FUTEXREC_BY_HOLDER };

struct futexrec_key {
	__u64 addr, stack;		/* stack: hash; 0: none */
	__u32 tgid, tid;		/* tid 0: nobody knows */
	__u32 side, kind;
};

struct futexrec_sum {
	__u64 n, total_ns, max_ns, min_ns;
	__u64 last_ns;			/* when the last one began; CLOCK_MONOTONIC */
	__u64 n_timeouts;		/* that ended since they took too long, or by a signal */
};

/* As it goes through a stream, as raw data; of FUTEXREC_TIMES with steps, a __u32 each, behind. */
struct futexrec {
	struct futexrec_key key;
	struct futexrec_sum sum;
};
_Static_assert(sizeof(struct futexrec) == 32 + 48, "no gaps");

/* A user stack when it was seen first: frames by frame pointers, registers as the kernel has them
 * (struct pt_regs), and memory from the stack pointer on. */
struct futexrec_stack {
	__u32 n_frames, dump_bytes;
	__u64 frames[FUTEXREC_MAX_FRAMES];
	__u64 regs[FUTEXREC_REGS];
	__u8 dump[FUTEXREC_DUMP_BYTES];
};

struct futexrec_lost {
	__u64 n_waits;		/* no room for a wait that begins */
	__u64 n_sums, sums_ns;	/* no room for a sum, and how long those waits were */
	__u64 n_stacks;		/* counted, but without their stack */
	__u64 n_wakers;		/* counted, but who woke is not known */
};

#endif
