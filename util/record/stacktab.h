/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_STACKTAB_H
#define RECORD_STACKTAB_H
/*
 * The recorder's side of the tables of a program that unwinds stacks in the kernel
 * (wire/stackrec.h): they are written here while the program reads them on other CPUs. One writer.
 */
#include "util/base/hash.h"
#include "util/base/types.h"
#include "util/wire/stackrec.h"

struct stacktab {
	/* these three are borrowed; n_slots: a power of two, at least STACK_WAYS */
	struct stack_slot *slots;
	struct stack_proc *procs;
	struct stack_rule *rules;
	u32 n_slots;
	u32 n_rules;			/* in use; number 0 is STACK_RULE_UNKNOWN */
	struct hmap numbers;		/* of rules */
	u32 turn;			/* whose place is taken next where all are taken */
	/* rows; slots that others took; rows without room in their slot, or for their rule */
	u64 n_taught, n_replaced, n_full;
};

void stacktab_init(struct stacktab *t, struct stack_slot *slots, u32 n_slots,
		   struct stack_proc *procs, struct stack_rule *rules);
void stacktab_release(struct stacktab *t);
/* What the program would find for the instruction at va: the number of a rule, 0: none. */
u32 stacktab_find(const struct stacktab *t, u32 owner, u64 va);
/* Addresses [start, end) of owner's code have this rule. */
void stacktab_teach(struct stacktab *t, u32 owner, u64 start_va, u64 end_va,
		    const struct stack_rule *rule);
/* p->seq is not looked at. One that is there under the same tgid is replaced. */
void stacktab_set_proc(struct stacktab *t, const struct stack_proc *p);
void stacktab_forget_proc(struct stacktab *t, u32 tgid);

#endif
