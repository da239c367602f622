/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_HEAPREC_H
#define WIRE_HEAPREC_H
/*
 * Allocations and frees of user programs as BPF programs see them (util/bpf/heap.bpf.c), for the
 * recorder. Only kernel types.
 */
#include "util/wire/offcpurec.h"

/* What a probed function is: the low bits of its probe's cookie. */
enum heap_function {
	HEAP_ALLOC,		/* (bytes) */
	HEAP_CALLOC,		/* (n, bytes) */
	HEAP_REALLOC,		/* (old, bytes) */
	HEAP_MEMALIGN,		/* (alignment, bytes) */
	HEAP_POSIX_MEMALIGN,	/* (where the address goes, alignment, bytes) */
	HEAP_FREE,		/* (address) */
};
#define HEAP_FUNCTION_MASK 0xff
/* It may call others of them, which are not counted then. */
#define HEAP_NESTS 0x100

/* Most bytes that a period can have: products with 32 bits fit in 64. */
#define HEAP_MAX_PERIOD (1ULL << 30)
#define HEAP_MAX_FRAMES 127

enum heap_what { HEAP_RECORD_ALLOC, HEAP_RECORD_STACK, HEAP_RECORD_FREE };

/* A record of the ring. ALLOC: n frames follow, the innermost first, each as the address of its
 * call; STACK: a struct offcpu_lesson follows, from which the recorder makes them. */
struct heap_rec {
	__u32 what, n_frames;
	__u64 time_ns;		/* CLOCK_MONOTONIC */
	__u64 ptr;
	__u64 bytes;		/* that were asked for */
	__u64 weight;		/* bytes that it stands for */
	__u64 ip;		/* of who called the function */
	__u32 pid, tid;		/* in the recorder's pid namespace */
};
_Static_assert(sizeof(struct heap_rec) == 56, "the frames follow without a gap");

struct heap_stack_rec {
	struct heap_rec head;
	struct offcpu_lesson stack;
};

/* A sampled piece that was not freed yet. */
struct heap_key {
	__u64 ptr;
	__u32 tgid, pad;
};
/* Where frees look whether there may be such a one, before they do. */
#define HEAP_MARKS 65536
#define HEAP_MARK(ptr, tgid) \
	((((ptr) >> 4 ^ (__u64)(tgid) << 40) * 0x9e3779b97f4a7c15ULL) >> 48)
struct heap_live {
	__u64 bytes, weight;
};

/* Of each CPU; exact. */
struct heap_totals {
	__u64 n_allocs, bytes, n_frees;
};

/* What is missing. */
struct heap_lost {
	__u64 n_allocs, weight;		/* samples that found no room in the ring */
	__u64 n_full, full_weight;	/* samples that found none in the table of live pieces */
	__u64 n_frees;			/* frees of samples that found no room in the ring */
	__u64 n_pending;		/* calls whose end could not be waited for */
};

#endif
