/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TYPES_FLOW_H
#define ANALYSIS_TYPES_FLOW_H
/*
 * Values followed through the code of one function. Each register holds nothing that is known, or
 * the address of an object of some type plus some bytes. Where paths meet, what they do not agree
 * on is unknown; loops are gone through until nothing changes.
 */
#include "util/analysis/types/access.h"
#include "util/disasm/operands.h"
#include "util/symbols/slots.h"

#define FLOW_REGS 32
#define FLOW_SLOTS 16

struct held { const struct datatype *type; s64 off; };	/* type NULL: unknown */
struct held_slot { s64 at; struct held held; };		/* at: from the frame's address */

struct flow_state {
	bool reached;
	struct held regs[FLOW_REGS];
	struct held_slot slots[FLOW_SLOTS];	/* registers that were saved on the stack */
};

struct flow_insn {
	struct insn i;			/* without its texts */
	struct insn_operands ops;
	bool decoded;
	const char *mnemonic;
	u32 first_variable;		/* in links, plus 1; 0: none. The innermost first */
	u32 in;				/* of a place that is jumped to: number in ins, plus 1 */
	bool has_cfa;
	u16 cfa_reg;
	s64 cfa_off;
	const struct datatype *returned;	/* by what it calls */
};
struct variable_link { u32 variable, next; };

/* What a function that is called may change (bits by register), where its first argument and its
 * result are. */
struct flow_abi { u64 clobbers; u8 arg, result; };
extern const struct flow_abi flow_x86_64, flow_arm64;

struct flow {
	const struct flow_abi *abi;
	struct datatypes *types;
	const struct slots *slots;	/* NULL: none */
	bool kernel;			/* segments are CPUs' copies of variables */
	u64 delta;			/* rva minus addresses of DWARF */
	VEC(struct flow_insn) insns;
	variables vars;
	VEC(struct variable_link) links;
	VEC(struct flow_state) ins;
};

/* insns and variables are filled in; fills the rest, and what each accesses. out: of insns.n */
void flow_run(struct flow *f, struct access *out);
void flow_release(struct flow *f);

/* held.c: what an object of that kind has at off. ACCESS_KNOWN: *h is made the innermost object
 * that is no array, off being within it. */
enum access_why held_resolve(struct datatypes *t, struct held *h);
/* What a load of a pointer from there gives; type NULL: unknown. */
struct held held_loaded(struct datatypes *t, struct held from);
struct held held_pointer(struct datatypes *t, const struct datatype *pointer);

#endif
