/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_ANNOTATE_IPC_H
#define ANALYSIS_ANNOTATE_IPC_H
/*
 * Instructions a cycle of whole functions, by the blocks of code that branch stacks tell of. Of the
 * blocks that end with an instruction the longest counts, as in a listing. A function is
 * disassembled when it is first asked for. One owner, one thread.
 */
#include "util/analysis/annotate/blocks.h"

struct disasm;

struct function_ipc {
	double ipc;			/* 0: no cycles of whole blocks are known, or no code */
	double coverage_pct;		/* instructions that such blocks end with, of all of it */
};

struct function_ipcs;
/* Both are borrowed; b may still grow until the first question. x NULL: nothing is known. */
struct function_ipcs *function_ipcs_new(const struct code_blocks *b, struct disasm *x);
void function_ipcs_free(struct function_ipcs *f);	/* NULL is fine */
struct function_ipc function_ipcs_find(struct function_ipcs *f, const struct symbol *sym);

#endif
