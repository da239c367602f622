/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHED_CHAIN_H
#define ANALYSIS_SCHED_CHAIN_H
/*
 * Where a task was when it left its CPU: the call chain of a sched_switch event. The sink that
 * feeds the model needs SINK_CHAIN and SINK_SYMBOLS for it.
 */
#include "util/analysis/sched.h"
#include "util/base/str.h"

/* The recording has chains of its sched_switch events. */
bool sched_have_chains(const struct event_list *l);
/* The frame that put the task to sleep, innermost: those of the tracepoint and of the scheduler
 * itself are before it; n_frames: there is no other. */
u32 sched_chain_first(const struct resolved *r);
/* "do_nanosleep <- hrtimer_nanosleep <- ...": the first max + 2 frames without __schedule() and
 * schedule(); names are made safe. item may be NULL. */
void sched_add_chain(struct str *out, const struct sink_item *item, int max);

#endif
