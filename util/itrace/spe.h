/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ITRACE_SPE_H
#define ITRACE_SPE_H
/*
 * What a trace of ARM SPE says: one record after the other, each of an operation that the CPU
 * sampled. Source: Arm ARM, "Statistical Profiling Extension Sample Record Specification"; where
 * data came from (SPE_SOURCE) is said by each CPU in its own way: technical reference manuals of
 * Neoverse N1, AmpereOne. Pure functions; bytes are untrusted.
 */
#include <linux/perf_event.h>

#include "util/itrace/packets.h"

/* Bits of the events packet. */
enum spe_event {
	SPE_E_L1D_ACCESS = 1 << 2, SPE_E_L1D_MISS = 1 << 3, SPE_E_TLB_ACCESS = 1 << 4,
	SPE_E_TLB_MISS = 1 << 5, SPE_E_NOT_TAKEN = 1 << 6, SPE_E_MISPREDICTED = 1 << 7,
	SPE_E_LLC_ACCESS = 1 << 8, SPE_E_LLC_MISS = 1 << 9, SPE_E_REMOTE = 1 << 10,
	SPE_E_IN_TX = 1 << 16,
	SPE_E_L2D_ACCESS = 1 << 19, SPE_E_L2D_MISS = 1 << 20, SPE_E_MODIFIED = 1 << 21,
	SPE_E_RECENT = 1 << 22, SPE_E_SNOOPED = 1 << 23,
};

/* Addresses as programs use them: those of the kernel with their highest bits set. */
struct spe_record {
	u64 pc, to, va, pa;		/* 0: not said */
	u64 previous;			/* where the branch before it went; 0: not said */
	u64 events;			/* enum spe_event */
	u64 ticks;			/* of the generic timer; 0: not said */
	u32 latency;			/* cycles, all in all */
	u32 context;			/* the thread, of this record or one before it */
	u16 source;
	bool has_context, has_op;
	u8 op_class;			/* enum spe_class */
	u8 op;
};

struct spe_reader { const u8 *p; size_t n, at; u64 offset; u32 context; bool has_context; };
/* The next record, behind what is damaged; false: the end. */
bool spe_next(struct spe_reader *s, struct spe_record *out);

/* As union perf_mem_data_src has it; 0: no access. midr: of the CPU (MIDR_EL1), 0: not known. */
u64 spe_data_src(const struct spe_record *r, u64 midr);
/* enum pt_flag; 0: it is no branch. */
u32 spe_flags(const struct spe_record *r);
/* The branch that it was, and where the one before it went (FEAT_SPE_PBT), the newest first, as
 * kernels record branches; how many. */
enum { SPE_MOST_BRANCHES = 2 };
size_t spe_branches(const struct spe_record *r, struct perf_branch_entry *out);

#endif
