/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_CGCOUNT_H
#define BPF_CGCOUNT_H
/*
 * Counts of many cgroups by one BPF program and one counter of each event on each CPU
 * (cgcount.bpf.c). One owner. Where it cannot work, opening fails with the reason.
 */
#include "util/base/vec.h"
#include "util/os/os.h"
#include "util/wire/cgcountrec.h"

struct cgcount_opts {
	/* counters of all tasks, not inherited: [event * n_cpus + cpu], -1: none there */
	const int *fds;
	size_t n_events;		/* at most CGCOUNT_EVENTS */
	const int_vec *cpus;
	const u64 *ids;			/* of cgroups of the unified hierarchy, less than
					 * CGCOUNT_LEVELS below its root */
	size_t n_cgroups;
};

struct cgcount;
/* Counting begins; the counters may be enabled later. */
int cgcount_open(struct cgcount **out, const struct cgcount_opts *o, const struct os *os,
		 struct err *err);
/* Brings the sums up to date. -errno. */
int cgcount_read(struct cgcount *c);
/* The sum until then; cpu: its place in cpus. */
struct cgcount_value cgcount_value(const struct cgcount *c, size_t event, size_t cpu,
				   size_t cgroup);
void cgcount_close(struct cgcount *c);		/* NULL is fine */

#endif
