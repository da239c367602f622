/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UNWIND_CODE_PRIV_H
#define UNWIND_CODE_PRIV_H
/*
 * Code of x86-64 without unwind tables: where its return address lies follows from what the code
 * from there on does to the stack pointer until it returns. Compilers keep that the same on all
 * ways to an instruction.
 */
#include "util/symbols/cfi.h"
#include "util/symbols/dso.h"

/* A register's value: what the stack pointer (of_fp: the frame pointer) was at the beginning,
 * plus off. */
struct code_value { bool known, of_fp; s32 off; };

/* What is known on a way through the code. */
struct code_state {
	u64 rva;
	struct code_value sp, fp;
	/* where the caller's frame pointer lies; known: somewhere */
	struct code_value saved;
	bool exits;			/* the number of the next system call is that of exit */
};

enum code_flow {
	CODE_ON,	/* to the next instruction */
	CODE_CALL,	/* there, if the call returns; *target: of whom, 0: not known */
	CODE_JUMP, CODE_BRANCH,		/* to *target, or there */
	CODE_RETURN,
	CODE_STOP,	/* nobody goes on here: a trap, an exit */
	CODE_LOST,	/* who knows where to */
};

/* One instruction at s->rva, whose bytes are b: its effect, and its length. */
enum code_flow code_step(struct code_state *s, const u8 *b, size_t n, u64 *target, u8 *length);

/* The row that has rva (a caller is asked for by the last byte of its call), found by its code
 * alone; memo: of this dso's functions, whether they return. -ENOENT: nobody knows. A thread's
 * first code, which ends with its exit, has no return address. */
struct code_memo;
int code_rule(struct code_memo *m, struct dso *d, u64 rva, const struct arch_info *a,
	      struct cfi_rule *out);
struct code_memo *code_memo_new(void);
void code_memo_free(struct code_memo *m);

#endif
