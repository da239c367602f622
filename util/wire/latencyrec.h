/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_LATENCYREC_H
#define WIRE_LATENCYREC_H
/*
 * Sums of durations, as the BPF programs of bpf/latency.bpf.c and their reader know them, so only
 * kernel types.
 */
#include <linux/types.h>

#define LATENCY_BUCKETS 22
#define NS_HIST_STEPS 480

/* A histogram: by powers of two of the unit, or from min in steps of range. */
struct latency_buckets {
	__u64 unit_ns;			/* 1, or 1000 */
	__u64 range, min, max;		/* in units; range 0: powers of two; max 0: no end */
};

/* How often times of which size occurred: 8 steps per power of two. */
struct ns_hist { __u64 n[NS_HIST_STEPS]; };

struct latency_sums {
	__u64 n, total_ns, min_ns, max_ns;
	__u64 counts[LATENCY_BUCKETS];
	struct ns_hist hist;
};

/* 0..63; v is not 0. In steps, since BPF has no instruction for it. */
static inline __attribute__((always_inline)) __u32 latency_log2(__u64 v)
{
	__u32 n = 0;

	for (int bits = 32; bits; bits /= 2)
		if (v >> bits) {
			v >>= bits;
			n += (__u32)bits;
		}
	return n;
}

static inline __attribute__((always_inline)) __u32 ns_hist_step(__u64 ns)
{
	const __u32 log = ns < 8 ? 0 : latency_log2(ns);
	const __u32 step = ns < 8 ? (__u32)ns : (log - 2) * 8 + (__u32)((ns >> (log - 3)) & 7);

	return step < NS_HIST_STEPS ? step : NS_HIST_STEPS - 1;
}

static inline __attribute__((always_inline)) __u32
latency_bucket(const struct latency_buckets *b, __u64 ns)
{
	const __u64 v = ns / b->unit_ns;
	__u64 i;

	if (!b->range)
		i = v ? latency_log2(v) + 1 : 0;
	else if (v < b->min)
		i = 0;
	else if (b->max && v >= b->max)
		i = (b->max - b->min + b->range - 1) / b->range + 1;
	else
		i = (v - b->min) / b->range + 1;
	return i < LATENCY_BUCKETS ? (__u32)i : LATENCY_BUCKETS - 1;
}

static inline __attribute__((always_inline)) void
latency_add(struct latency_sums *s, const struct latency_buckets *b, __u64 ns)
{
	__u64 bucket = latency_bucket(b, ns), step = ns_hist_step(ns);

	/* The register that is compared has to be the index itself: the verifier of Linux 5.10
	 * does not carry the bound over to copies of 32 bits. */
	__asm__ volatile("" : "+r"(bucket), "+r"(step));
	s->min_ns = !s->n || ns < s->min_ns ? ns : s->min_ns;
	s->max_ns = ns > s->max_ns ? ns : s->max_ns;
	s->n++;
	s->total_ns += ns;
	if (bucket < LATENCY_BUCKETS)
		s->counts[bucket]++;
	if (step < NS_HIST_STEPS)
		s->hist.n[step]++;
}

#endif
