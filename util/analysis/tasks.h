/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TASKS_H
#define ANALYSIS_TASKS_H
/*
 * What a recording says besides its samples: the tree of tasks, and how many records of each kind
 * there are.
 */
#include "util/base/str.h"
#include "util/event/per-event.h"
#include "util/stream/stream.h"

struct task { const struct thread *thread; s64 ppid; const char *comm; u32 depth; };
typedef VEC(struct task) task_vec;
/* All tasks, parents before their children, by tid among siblings. ppid -1: unknown. */
void tasks_collect(const struct machine *m, task_vec *out);

/* A sink that only counts samples by event. */
struct sample_counts { struct sink sink; struct per_event n; };	/* n: a u64 each */
void sample_counts_init(struct sample_counts *c);
u64 sample_counts_of(const struct sample_counts *c, const struct event *e);
void sample_counts_release(struct sample_counts *c);

#endif
