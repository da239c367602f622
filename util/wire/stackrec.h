/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_STACKREC_H
#define WIRE_STACKREC_H
/*
 * Stacks that a BPF program unwinds at the sample: what it knows, and what it hands over. Shared by
 * the program (util/bpf/stack.bpf.c) and the recorder, so only kernel types.
 *
 * Code: a slot holds what is known of 64 bytes of code of one program (an "owner": the executable
 * memory of one process between two of its changes; numbers are never used again). Bit i of starts:
 * a row of the unwind tables begins at byte i; its rule is rules[number of bits up to i]. Slots are
 * found by a hash of (owner, address / 64) in sets of STACK_WAYS. The recorder alone writes them:
 * seq is odd meanwhile, and the program looks at it before and after.
 *
 * Processes: found by a hash of the number of the process in sets of STACK_PROC_WAYS. One whose
 * memory (mm), exec_id or size of executable memory differs from what is noted here is not known:
 * it has called execve, or mapped or unmapped code.
 *
 * A record is the raw data of a PERF_COUNT_SW_BPF_OUTPUT event in the ring of the CPU. One with a
 * chain is laid out as the sample of the file is, so that copying it (the kernel lets nobody write
 * into a ring) and a few words make that of it:
 *
 *	in the ring					in the file
 *	header, address, thread, time...		the same
 *	u32 bytes of raw data, u32 period's low half	u64 period (or CPU: then the record is
 *							without it before this)
 *	u64 number of words, the chain with its marks	the same
 *	u64 about					u64 kind of user registers: none
 *	u64 secret					u64 bytes of stack: 0
 *
 * After it the kernel writes no sample. A notice has a struct stackrec_notice in the place of the
 * number and the chain; after it the sample follows with its registers and its copy of the stack,
 * as if there were no program: that is how the recorder learns which rules are missing. secret is a
 * random number of the session; no other record ends with it.
 */
#include <linux/types.h>

#define STACK_CODE_BYTES 64
#define STACK_SLOT_RULES 22
#define STACK_WAYS 4u
#define STACK_PROC_WAYS 4u
#define STACK_PROCS 4096u
#define STACK_MAX_RULES 4096u
#define STACK_MAX_FRAMES 1023u
#define STACK_MAX_KERNEL 130u		/* of the kernel's part of a chain, with its mark */
#define STACK_VA_BITS 47
#define STACK_MAX_OWNERS (1u << 22)
/* of the code at va */
#define STACK_KEY(owner, va) ((__u64)(owner) << (STACK_VA_BITS - 6) | (va) >> 6)
#define STACK_HASH(key) ((key) * 0x9e3779b97f4a7c15ULL >> 32)

struct stack_slot {
	__u64 key;		/* 0: empty */
	__u64 starts;
	__u16 rules[STACK_SLOT_RULES];
	__u32 seq;
};
_Static_assert(sizeof(struct stack_slot) == 64, "a slot is a cache line");

enum stack_rule_kind {
	STACK_RULE_UNKNOWN,	/* number 0: nothing is known of this row */
	STACK_RULE_REFUSED,	/* the recorder must do it */
	STACK_RULE_END,		/* nobody called it */
	/* before the first byte of what nobody called: only for return addresses */
	STACK_RULE_START,
	STACK_RULE_SP,		/* CFA: stack pointer + cfa_off */
	STACK_RULE_FP,		/* CFA: frame pointer + cfa_off */
	STACK_RULE_FP_CALLER,	/* the same, but only for return addresses */
	/* CFA: the word at frame pointer + cfa_off; the caller's frame pointer lies at frame
	 * pointer + fp_off */
	STACK_RULE_FP_MEM,
	/* all registers lie at stack pointer + cfa_off (a struct sigcontext) */
	STACK_RULE_SIGNAL,
};

/* The return address lies below the CFA. fp_off: where the caller's frame pointer lies from the
 * CFA on, 0: where it was. */
struct stack_rule { __u16 kind; __s16 fp_off; __s32 cfa_off; };

/* seq as in slots. owner 0: do not try. */
struct stack_proc {
	__u64 mm, exec_pages;
	__u32 tgid, exec_id;
	__u32 owner, seq;
};

enum stackrec_what { STACKREC_CHAIN = 1, STACKREC_NOTICE };
enum stackrec_reason {
	STACKREC_COMPLETE, STACKREC_MAX_FRAMES,		/* of a chain */
	/* of a notice */
	STACKREC_NEW_PROCESS, STACKREC_NEW_CODE, STACKREC_REFUSED, STACKREC_MEMORY, STACKREC_FRAME,
	STACKREC_WHY_NR
};

/* The word before the last one of a record. */
#define STACKREC_ABOUT(what, reason, owner, period) \
	((__u64)(owner) | (__u64)(reason) << 24 | (__u64)(what) << 28 | (__u64)(period) >> 32 << 32)
#define STACKREC_OWNER(about) ((__u32)(about) & 0xffffff)
#define STACKREC_WHY(about) ((__u32)(about) >> 24 & 0xf)
#define STACKREC_WHAT(about) ((__u32)(about) >> 28)
_Static_assert(STACK_MAX_OWNERS <= 1u << 24 && STACKREC_WHY_NR <= 16, "they have room");

/* tgid: of the first pid namespace. va: where it stopped. */
struct stackrec_notice {
	__u64 mm, exec_pages, va;
	__u32 tgid, exec_id;
};

#endif
