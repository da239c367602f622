/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_OFF_TIME_H
#define RECORD_OFF_TIME_H
/*
 * Off-CPU time in a recording: what BPF programs (bpf/offcpu.h) measure becomes samples of the
 * event offcpu-time, whose period is the time in ns. The event is open as any other is, so that the
 * file has its ids, but the kernel writes nothing for it.
 *
 * Blocks that are as long as the threshold are written in the pass after their end, with the time
 * at which they ended. What the others of a thread add up to, by stack, is written when the file
 * ends; such a sample has OFFCPU_SUMS_NS for its time, which is later than all others, but where
 * the process has executed another program since, the time of the last block.
 */
#include "util/record/live-unwind.h"
#include "util/record/output.h"

#define OFF_CPU_EVENT "offcpu-time"

struct off_time;

/* The attrs of the other events are complete, but for what is the same in all. */
void off_time_add_event(struct event_list *list, const struct record_opts *o);

/* The target is resolved, the events are open. held: the workload that is recorded from its exec
 * on, 0: none. live: unwinds stacks, if there is a program in the kernel for it; borrowed, NULL: by
 * frame pointers. */
struct off_time_of {
	const struct record_opts *o;
	const struct event_list *list;
	pid_t held;
	struct live_unwind *live;
};
int off_time_new(struct off_time **out, const struct off_time_of *of, const struct os *os,
		 struct err *err);
void off_time_free(struct off_time *c);			/* NULL is fine */
void off_time_switch(struct off_time *c, bool on);
/* Becomes readable when much is to be written. Borrowed. */
int off_time_fd(const struct off_time *c);
/* Long blocks that have ended. data_bytes: what was written is added. */
int off_time_pass(struct off_time *c, struct output *out, u64 *data_bytes, struct err *err);
/* The sums of what came since the file began. last: it ends for good, and blocks that go on are
 * written, too. */
int off_time_write_sums(struct off_time *c, struct output *out, bool last, struct err *err);
void off_time_result(const struct off_time *c, struct record_result *res);

#endif
