/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_KWORK_TOP_H
#define ANALYSIS_KWORK_TOP_H
/*
 * Which tasks the CPUs ran, without the time that interrupts and soft interrupts took from them. A
 * run whose beginning or end was not recorded is not counted. One owner, one thread.
 */
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

enum kwork_top_key { KWORK_TOP_RATE, KWORK_TOP_RUNTIME, KWORK_TOP_TID, KWORK_TOP_N_KEYS };

struct kwork_top_opts {
	unsigned classes;		/* of kwork.h, a bit each; 0: all */
	const char *name;		/* only tasks of this name; NULL: all */
	/* rows are sorted by these: the largest first, of tids the smallest */
	enum kwork_top_key keys[KWORK_TOP_N_KEYS];
	int n_keys;
};

/* tasks: tid, comm, percent (of a CPU), runtime_ns; cpus: cpu, total_ns, idle_ns, irq_ns,
 * softirq_ns. */
struct kwork_top_tables { struct table tasks, cpus; };

struct kwork_top;
struct kwork_top *kwork_top_new(const struct kwork_top_opts *opts, const struct event_list *events,
				bool swap);
void kwork_top_free(struct kwork_top *t);	/* NULL is fine */
struct sink *kwork_top_sink(struct kwork_top *t);	/* borrowed */
u64 kwork_top_bad(const struct kwork_top *t);		/* events without the needed fields */
/* After the pass. out is zeroed; texts are the model's. */
void kwork_top_tables(struct kwork_top *t, struct kwork_top_tables *out);
void kwork_top_tables_release(struct kwork_top_tables *t);
/* 0, or -ENOENT: the recording has no sched_switch; the hint says how to get some. */
int kwork_top_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
