/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_SAMPLE_H
#define WIRE_SAMPLE_H
/*
 * struct sample: one sample, for all commands. Pointers borrow from the record (in host byte order:
 * records of the other order are swapped as a whole first). "present" tells which members were
 * recorded: there is no zero-means-absent. Source of the layout: perf_event_open(2),
 * linux/perf_event.h.
 */
#include <linux/perf_event.h>

#include "util/base/str.h"
#include "util/base/types.h"

struct event;
struct wire_synth;

struct regs_view {
	u64 abi;		/* PERF_SAMPLE_REGS_ABI_* */
	u64 mask;		/* of the attr: which registers, lowest bit first in regs[] */
	const u64 *regs;	/* NULL when abi is NONE */
};

struct branch_view {
	u64 n;
	bool has_hw_idx;
	u64 hw_idx;
	const struct perf_branch_entry *entries;
	const u64 *counters;	/* PERF_SAMPLE_BRANCH_COUNTERS or NULL */
};

struct sample {
	u64 present;			/* PERF_SAMPLE_* bits that were decoded */
	/* filled by the one who knows the ids (stream); NULL from wire */
	const struct event *event;
	u64 id, stream_id, time_ns, ip, addr, period, weight, data_src, phys_addr, transaction;
	u64 cgroup, data_page_bytes, code_page_bytes;
	u32 pid, tid, cpu;
	u16 misc;			/* the record's header.misc */
	u8 cpumode;			/* misc & PERF_RECORD_MISC_CPUMODE_MASK */
	u16 ins_lat, p_stage_cyc;	/* of WEIGHT_STRUCT */
	const u64 *chain;		/* with PERF_CONTEXT_* marks, as recorded */
	u64 chain_n;
	struct span raw;		/* PERF_SAMPLE_RAW */
	struct span read;		/* PERF_SAMPLE_READ: decode with wire_read_values() */
	struct branch_view branch;
	struct regs_view user_regs, intr_regs;
	struct span stack;		/* user stack bytes, already cut to dyn_size */
	u64 stack_dyn_bytes;
	/* the copy ends before what was asked for: no more memory was there (the stack's end; in
	 * execve that of the old program is gone; paged out) */
	bool stack_short;
	struct span aux;
	/* of events that a trace decoder made (wire/synthrec.h); NULL from wire */
	const struct wire_synth *synth;
};

/* The identity that every record carries when sample_id_all is set, and that samples carry in
 * their body. */
struct sample_id {
	u64 present;			/* PERF_SAMPLE_TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER */
	u64 time_ns, id, stream_id;
	u32 pid, tid, cpu;
};

#endif
