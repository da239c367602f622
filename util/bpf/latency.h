/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_LATENCY_H
#define BPF_LATENCY_H
/*
 * The BPF programs that measure how long a function of the kernel takes, or the time between two
 * tracepoints in the same thread (latency.bpf.c). They run from latency_open() on. One owner.
 */
#include "util/base/vec.h"
#include "util/os/os.h"
#include "util/wire/latencyrec.h"

struct latency_opts {
	const char *function;		/* by kprobes; NULL: between two tracepoints */
	const char *first, *second;	/* "system:name"; they may be the same */
	const int_vec *pids, *tids;	/* only these; both NULL: all */
	const int_vec *cpus;		/* only what begins on one of these; NULL: any */
	struct latency_buckets buckets;
};

struct latency;
int latency_open(struct latency **out, const struct latency_opts *o, const struct os *os,
		 struct err *err);
/* The sums of all CPUs until now. */
int latency_read(const struct latency *l, struct latency_sums *out, struct err *err);
u64 latency_n_lost(const struct latency *l);	/* beginnings that found no room */
void latency_close(struct latency *l);		/* NULL is fine */

#endif
