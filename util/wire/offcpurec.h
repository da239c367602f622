/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_OFFCPUREC_H
#define WIRE_OFFCPUREC_H
/*
 * The time that threads were blocked, as a BPF program measures it. Shared by the program
 * (util/bpf/offcpu.bpf.c) and the recorder, so only kernel types.
 *
 * One struct for both ways out: a single block in the ring (cut after its frames), and the sum of
 * the blocks of one thread with one stack in a map.
 */
#include <linux/types.h>

#define OFFCPU_MAX_FRAMES 127
/* The time of samples that are sums, in the file: later than any clock has it. As upstream, so that
 * readers tell them apart. */
#define OFFCPU_SUMS_NS 0xffffffff00000000ULL

struct offcpu_sum {
	__u64 ns, n;		/* n: blocks */
	__u64 last_ns;		/* when the last one ended; CLOCK_MONOTONIC */
	__u64 hash;		/* of the frames */
	__u32 tgid, tid;
	__u32 exec_id;		/* grows with each program that the process executes */
	__u32 cpu;		/* where the last one ended */
	__u32 n_frames, pad;
	/* in user code, the innermost first: addresses of return, and where it left the CPU */
	__u64 frames[OFFCPU_MAX_FRAMES];
};
#define OFFCPU_HEAD_BYTES __builtin_offsetof(struct offcpu_sum, frames)
_Static_assert(OFFCPU_HEAD_BYTES == 56, "the frames follow without a gap");

struct offcpu_key {
	__u64 hash;
	__u32 tgid, tid, exec_id, pad;
};

/* A stack of which the program does not know all rules (wire/stackrec.h), with what the recorder
 * needs to unwind and to teach it. The block that it is of has its id for a hash. */
#define OFFCPU_LESSON_BYTES 16384
#define OFFCPU_LESSON_CHUNK 512
#define OFFCPU_MOST_LESSONS 256		/* of a thread */
struct offcpu_lesson {
	__u64 id;
	__u64 mm, exec_pages, va;	/* as in a struct stackrec_notice */
	__u32 global_tgid, exec_id;
	__u32 tgid, tid, reason, stack_bytes;
	__u64 bp, sp, ip;
	__u8 stack[OFFCPU_LESSON_BYTES];
};

/* What is kept of a thread. */
enum { OFFCPU_AWAY = 1, OFFCPU_FROM_EXEC = 2 };	/* the second: not before it calls execve */
struct offcpu_task {
	__u64 left_ns;		/* AWAY: since when, of the clock that runs while recording is on */
	__u64 ran_ns;		/* on CPUs by then */
	__u32 flags, n_lessons;
	struct offcpu_sum sum;
};

#endif
