/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_KWORK_H
#define ANALYSIS_KWORK_H
/*
 * Work of the kernel: interrupts, soft interrupts and work queues. A run goes from its entry to its
 * exit on one CPU, its delay from the last time that it was raised there to the entry. What has no
 * beginning is counted as skipped. One owner, one thread.
 */
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

enum kwork_class { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_WORKQUEUE, KWORK_SCHED, KWORK_N_CLASSES };
extern const char *const kwork_class_names[KWORK_N_CLASSES];	/* "irq" ... */

enum kwork_key { KWORK_BY_RUNTIME, KWORK_BY_AVG, KWORK_BY_MAX, KWORK_BY_COUNT, KWORK_N_KEYS };

/* One run that is over, for who shows each. */
struct kwork_run {
	u64 start_ns, end_ns;
	s64 delay_ns;			/* < 0: it was not seen when it was raised */
	u32 cpu;
	const char *name;		/* "(s)TIMER:1" */
	const struct sink_item *item;	/* of its end */
};

struct kwork_opts {
	unsigned classes;		/* a bit each; 0: all */
	const char *name;		/* only works of this name; NULL: all */
	bool latency;			/* rows are of delays, not of runs */
	enum kwork_key keys[KWORK_N_KEYS];	/* rows are sorted by these, the largest first */
	int n_keys;
	void (*run)(void *ctx, const struct kwork_run *r);	/* NULL, or called for each run */
	void *ctx;
};

struct kwork_stats {
	u64 n_raised, n_entered, n_left;	/* skipped */
	u64 n_bad;				/* events without the needed fields */
	u64 first_ns, last_ns;	/* of entries and exits; first UINT64_MAX: none */
};

struct kwork;
/* swap: of the recording; machine: names of work functions come from its kernel. Borrowed. */
struct kwork *kwork_new(const struct kwork_opts *opts, const struct event_list *events, bool swap,
			struct machine *machine);
void kwork_free(struct kwork *k);		/* NULL is fine */
/* Nothing is counted so far; works that were raised or entered go on. */
void kwork_restart(struct kwork *k);
struct sink *kwork_sink(struct kwork *k);	/* borrowed */
const struct kwork_stats *kwork_get_stats(const struct kwork *k);
/*
 * Rows after the pass. Columns: class, name, label ("(w)wb_workfn"), id, cpu, then runtime_ns,
 * count, max_ns, max_start_ns, max_end_ns; with latency avg_delay_ns instead of runtime_ns. Texts
 * are the model's.
 */
void kwork_table(struct kwork *k, struct table *out);
/* 0, or -ENOENT: the recording has no such events; the hint says how to get some. */
int kwork_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
