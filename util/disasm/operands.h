/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DISASM_OPERANDS_H
#define DISASM_OPERANDS_H
/*
 * What an instruction does to registers and memory, for who follows values through code.
 * Registers by their DWARF numbers. Known for x86-64 with libcapstone, and for arm64.
 */
#include "util/disasm/disasm.h"

#define OPERAND_NO_REG 0xffff

enum insn_effect {
	EFFECT_OTHER,		/* registers in written have unknown values */
	EFFECT_COPY,		/* dst = src, all of the register */
	EFFECT_ADDRESS,		/* dst = the address that mem names (lea) */
	EFFECT_LOAD,		/* dst = what is in mem, all of the register */
	EFFECT_STORE,		/* mem = src, all of the register */
	EFFECT_CONSTANT,	/* dst = imm */
	EFFECT_ADD,		/* dst = src + imm */
	EFFECT_ADD_REG,		/* dst = src + src2 (none: something unknown) */
	EFFECT_ADD_MEM,		/* dst += what is in mem */
	EFFECT_THREAD,		/* dst = the thread's pointer */
	EFFECT_INDEX,		/* dst = a number that nobody knows, times the size of something */
	EFFECT_INSERT,		/* 16 bits of dst, from bit src2 on, become those of imm */
};

struct insn_operands {
	bool has_mem;		/* mem is read or written; with EFFECT_ADDRESS neither */
	bool stack;		/* it pushes, pops, calls or returns */
	struct {
		u16 base, index;	/* OPERAND_NO_REG: none */
		u8 scale, bytes;
		bool segment;		/* relative to a segment's start */
		bool thread;		/* of these, to the thread's (fs) */
		bool relative;		/* disp was counted from the instruction */
		s64 disp;		/* without base and index an address (rva) */
	} mem;
	u8 effect;		/* enum insn_effect */
	u16 dst, src, src2;	/* OPERAND_NO_REG: none */
	/* of loads and stores of two registers the other one, whose place is 8 bytes further */
	u16 second;
	s64 imm;
	s64 base_by;		/* what mem.base is changed by after it */
	u64 written;		/* bits by number: registers whose values change, dst too */
};

/* -ENOTSUP: of no instruction, because libcapstone is not built in or not on this machine. */
int disasm_check_operands(struct err *err);
u16 disasm_machine(const struct disasm *x, struct dso *d);	/* EM_X86_64 */
/* False: nothing is known of this instruction (not this instruction set, no libcapstone). */
bool disasm_operands(struct disasm *x, struct dso *d, const struct insn *i,
		     struct insn_operands *out);

#endif
