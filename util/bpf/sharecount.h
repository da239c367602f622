/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_SHARECOUNT_H
#define BPF_SHARECOUNT_H
/*
 * Counters of whole CPUs that several processes share (share.bpf.c). The counters of an event are
 * in a BPF map (PERF_EVENT_ARRAY, Linux 5.10), which lives as long as some process holds it, and
 * the counters with it. Which map that is stands in a table that is pinned in the BPF file system:
 * from the event's attr to the number of the map. One that is gone is made again. Shared counters
 * are on from the beginning, and nobody switches them off: each process takes differences. One
 * owner.
 */
#include "util/base/vec.h"
#include "util/os/os.h"
#include "util/wire/cgcountrec.h"

/* Opens the table, made where there is none, and waits until nobody else changes it. Close the
 * descriptor when all that is looked for was found or added. -errno with the reason. */
int sharecount_table(const char *path, const struct os *os, struct err *err);

/* attr: what the event is, without how it is read and switched on; all other bits 0. */
struct sharecount_of {
	const struct perf_event_attr *attr;
	const int_vec *cpus;
};

struct sharecount;
/* -ENOENT: nobody counts it on all of these CPUs. */
int sharecount_find(struct sharecount **out, int table, const struct sharecount_of *of);
/* fds: of counters that are on, by their place in cpus; -1: none there. They may be closed
 * afterwards. */
int sharecount_add(struct sharecount **out, int table, const struct sharecount_of *of,
		   const int *fds, const struct os *os, struct err *err);
/* Brings the values up to date. -ENOENT: some CPU has no counter. */
int sharecount_read(struct sharecount *s);
/* cpu: its place in cpus. Since the counter was made. */
struct cgcount_value sharecount_value(const struct sharecount *s, size_t cpu);
void sharecount_close(struct sharecount *s);		/* NULL is fine */

#endif
