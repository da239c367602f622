/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_PROGCOUNT_H
#define BPF_PROGCOUNT_H
/*
 * What is counted while BPF programs run, by two programs at the beginning and the end of each
 * (progcount.bpf.c). One owner.
 */
#include "util/base/vec.h"
#include "util/os/os.h"
#include "util/wire/cgcountrec.h"

struct progcount_opts {
	/* counters of all tasks, not inherited: [event * n_cpus + cpu], -1: none there */
	const int *fds;
	size_t n_events;		/* at most CGCOUNT_EVENTS */
	const int_vec *cpus;
	const int_vec *programs;	/* their ids */
};

struct progcount;
int progcount_open(struct progcount **out, const struct progcount_opts *o, const struct os *os,
		   struct err *err);
/* The sum until now; cpu: its place in cpus. */
struct cgcount_value progcount_value(const struct progcount *c, size_t event, size_t cpu);
void progcount_close(struct progcount *c);	/* NULL is fine */

#endif
