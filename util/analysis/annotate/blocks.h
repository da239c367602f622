/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_ANNOTATE_BLOCKS_H
#define ANALYSIS_ANNOTATE_BLOCKS_H
/*
 * What branch stacks tell of code: the blocks that ran, each from the target of a branch to the
 * next branch that was taken, with the cycles that it took; and that as counts of instructions.
 * Zeroed memory is empty. One owner.
 */
#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/symbols/dso.h"
#include "util/wire/sample.h"

struct event_list;
struct location;
struct listing;

#define BLOCK_FIRST 8

struct block_cycles {
	u64 n, sum, min, max;		/* n: times that they are known; 0: all are */
	/* those of the first times */
	struct block_time { u64 nr; u32 cycles; } first[BLOCK_FIRST];
	unsigned n_first;
};

/* Events whose occurrences the CPU counts from one branch to the next (branch type "counter"). */
#define BRANCH_COUNTERS_MAX 4
struct branch_counters {
	unsigned n;			/* 0: none */
	unsigned bits;			/* of each; all of them set: that many, or more */
	const struct event *of[BRANCH_COUNTERS_MAX];
};
/* bits: 0: unknown. */
void branch_counters_find(struct branch_counters *c, const struct event_list *l, unsigned bits);

struct block_counts {
	u64 n;				/* times that they are known; 0: all are */
	u64 sum[BRANCH_COUNTERS_MAX];
	bool full[BRANCH_COUNTERS_MAX];	/* there may have been more */
};

#define BLOCK_NO_START UINT64_MAX

struct code_block {
	const struct symbol *sym;
	struct dso *dso;
	/* the first instruction, and the branch; BLOCK_NO_START: the stack does not tell, or it is
	 * in another function: then cycles are all that is known */
	u64 start_rva, end_rva;
	u64 n;				/* times that it ran */
	u64 n_predicted;		/* times that the CPU knew where the branch goes */
	struct block_cycles cycles;
	struct block_counts counts;
};

struct code_blocks {
	struct code_block *v;
	size_t n, mask;
	u64 n_branches;			/* so far: which of them came first */
	struct branch_counters counters;	/* of the stacks that are added */
};

/* ends: from, to of each branch, as in struct resolved. */
void code_blocks_add(struct code_blocks *b, const struct branch_view *stack,
		     const struct location *ends);
void code_blocks_merge(struct code_blocks *into, const struct code_blocks *from);
void code_blocks_release(struct code_blocks *b);

/* Those with known cycles, one for each branch that they end with: the longest names it, its cycles
 * are those of all. By symbol, in no order that means something, then by end. The caller frees. */
struct block_end {
	const struct symbol *sym;
	struct dso *dso;
	u64 start_rva, end_rva;		/* BLOCK_NO_START: as above */
	struct block_cycles cycles;
};
typedef VEC(struct block_end) block_ends;
void code_blocks_by_end(const struct code_blocks *b, block_ends *out);
/* "[file.c:12 -> file.c:17]", or "[function+4 -> function+21]" where no lines are known. */
void code_block_name(struct str *out, struct dso *d, const struct symbol *sym, u64 start_off,
		     u64 end_off);

/* Of an instruction. */
struct insn_blocks {
	u64 n_ran;			/* times that it ran */
	u64 n_to;			/* that a branch went to it */
	u64 n_from, n_predicted;	/* that it was a branch that was taken; and as expected */
	struct block_cycles cycles;	/* of the blocks that end with it */
	struct block_counts counts;	/* the same */
	/* of all times that the longest of these ran; cycles 0: its start is unknown */
	u64 longest_insns, longest_cycles;
};
/* Instructions a cycle of that one; 0: unknown. */
static inline double insn_blocks_ipc(const struct insn_blocks *b)
{
	return b->longest_cycles ? (double)b->longest_insns / (double)b->longest_cycles : 0;
}

/* One for each of the listing's instructions; NULL: there are no blocks in it. The caller frees. */
struct insn_blocks *code_blocks_count(const struct code_blocks *b, const struct listing *l);

#endif
