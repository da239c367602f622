// SPDX-License-Identifier: GPL-2.0-or-later
// Operands of arm64 instructions, from their encoding. Source: Arm's A64 instruction set, encoding
// index. What is not known here may write to any register. Numbers of registers: x0 to x30, and 31
// for sp; where 31 stands for the zero register there is none.
#include "util/disasm/disasm-priv.h"

enum { SP = 31, LR = 30 };

static u32 bits(u32 w, int from, int n) { return w >> from & ((1u << n) - 1); }

static s64 signed_bits(u32 w, int from, int n)
{
	return (s64)((u64)w << (64 - from - n)) >> (64 - n);
}

static u64 reg_bit(u32 reg) { return 1ull << reg; }
static u16 not_zero(u32 reg) { return reg == SP ? OPERAND_NO_REG : (u16)reg; }

static void writes(struct insn_operands *o, u32 reg)
{
	if (reg != SP)
		o->written |= reg_bit(reg);
}

static void constant(struct insn_operands *o, s64 value)
{
	o->effect = EFFECT_CONSTANT;
	o->imm = value;
}

/* ---- computing */

static void add_imm(struct insn_operands *o, u32 w)
{
	const bool wide = w >> 31, flags = bits(w, 29, 1);
	const s64 imm = (s64)bits(w, 10, 12) << (bits(w, 22, 1) ? 12 : 0);
	const u32 rd = bits(w, 0, 5);

	if (flags)
		writes(o, rd);
	else
		o->written |= reg_bit(rd);
	if (!wide || (flags && rd == SP))
		return;
	o->effect = EFFECT_ADD;
	o->dst = (u16)rd;
	o->src = (u16)bits(w, 5, 5);
	o->imm = bits(w, 30, 1) ? -imm : imm;
	if (!o->imm)
		o->effect = EFFECT_COPY;
}

static void move_wide(struct insn_operands *o, u32 w)
{
	const u64 imm = (u64)bits(w, 5, 16) << 16 * bits(w, 21, 2);
	const u32 opc = bits(w, 29, 2);

	writes(o, bits(w, 0, 5));
	o->dst = not_zero(bits(w, 0, 5));
	if (opc == 2)
		constant(o, (s64)imm);
	else if (opc == 0)
		constant(o, w >> 31 ? (s64)~imm : (s64)(u32)~imm);
	if (opc != 3)
		return;
	o->effect = EFFECT_INSERT;
	o->imm = (s64)imm;
	o->src2 = (u16)(16 * bits(w, 21, 2));
}

/* adr, adrp */
static void relative_address(struct insn_operands *o, u32 w, u64 rva)
{
	const s64 imm = signed_bits(w, 5, 19) * 4 + bits(w, 29, 2);

	writes(o, bits(w, 0, 5));
	o->dst = not_zero(bits(w, 0, 5));
	constant(o, w >> 31 ? (s64)(rva & ~4095ull) + imm * 4096 : (s64)rva + imm);
}

static void compute_imm(struct insn_operands *o, u32 w, u64 rva)
{
	switch (bits(w, 23, 3)) {
	case 0: case 1:
		relative_address(o, w, rva);
		break;
	case 2:
		add_imm(o, w);
		break;
	case 4:		/* of bits; but ands it may write sp */
		if (bits(w, 29, 2) == 3)
			writes(o, bits(w, 0, 5));
		else
			o->written |= reg_bit(bits(w, 0, 5));
		break;
	case 5:
		move_wide(o, w);
		break;
	case 6:			/* a shift to the left, or of a part */
		if ((w & 0xff800000) == 0xd3000000 && bits(w, 10, 6) < bits(w, 16, 6))
			o->effect = EFFECT_INDEX;
		o->dst = not_zero(bits(w, 0, 5));
		/* fall through */
	default:
		writes(o, bits(w, 0, 5));
	}
}

/* src plus a number that nobody knows: an index */
static void indexed(struct insn_operands *o, u32 w, u32 from)
{
	o->effect = EFFECT_ADD_REG;
	o->dst = not_zero(bits(w, 0, 5));
	o->src = (u16)from;
}

static void compute_reg(struct insn_operands *o, u32 w)
{
	const u32 rd = bits(w, 0, 5), rn = bits(w, 5, 5), rm = bits(w, 16, 5);

	if ((w & 0x3f200000) == 0x0b200000)		/* sub sp, sp, x0 */
		o->written |= reg_bit(rd);
	else if ((w & 0x1fe00000) != 0x1a400000)	/* a comparison on condition */
		writes(o, rd);
	if ((w & 0xffe0ffe0) == 0xaa0003e0) {		/* mov */
		o->dst = not_zero(rd);
		o->src = (u16)rm;
		if (rm == SP)
			constant(o, 0);
		else
			o->effect = EFFECT_COPY;
	} else if ((w & 0xff200000) == 0x8b000000 && rn != SP && rm != SP) {
		indexed(o, w, rn);
		if (!bits(w, 10, 6))
			o->src2 = (u16)rm;
	} else if ((w & 0xffe00000) == 0x8b200000) {
		indexed(o, w, rn);
		if (bits(w, 10, 6) == 0x18 && rm != SP)	/* uxtx, not shifted */
			o->src2 = (u16)rm;
	} else if ((w & 0xffe08000) == 0x9b000000 || (w & 0xff608000) == 0x9b200000) {
		if (bits(w, 10, 5) != SP)		/* madd, smaddl, umaddl */
			indexed(o, w, bits(w, 10, 5));
	}
}

/* Of those on vectors and floating point numbers the ones that give numbers. */
static void compute_vector(struct insn_operands *o, u32 w)
{
	const bool convert = (w & 0x7f200000) == 0x1e000000 || (w & 0x7f20fc00) == 0x1e200000;
	const bool element = (w & 0xbfe08400) == 0x0e000400;

	if (convert || element)
		writes(o, bits(w, 0, 5));
}

/* ---- memory */

static void at_base(struct insn_operands *o, u32 w, s64 disp)
{
	o->has_mem = true;
	o->mem.base = (u16)bits(w, 5, 5);
	o->mem.disp = disp;
}

static void changes_base(struct insn_operands *o, u32 w, s64 by)
{
	o->base_by = by;
	o->written |= reg_bit(bits(w, 5, 5));
}

/* Of one register, by the bits that all forms have; false: none of x0 to x30. */
static void moves(struct insn_operands *o, u32 w)
{
	const u32 size = bits(w, 30, 2), opc = bits(w, 22, 2), rt = bits(w, 0, 5);
	const bool vector = bits(w, 26, 1), hint = size == 3 && opc == 2;

	o->mem.bytes = (u8)(vector && opc & 2 ? 16 : 1 << size);
	if (vector || hint)
		return;
	if (opc)
		writes(o, rt);
	if (size != 3)
		return;
	o->effect = opc ? EFFECT_LOAD : EFFECT_STORE;
	if (opc)
		o->dst = not_zero(rt);
	else
		o->src = not_zero(rt);
}

static void by_register(struct insn_operands *o, u32 w)
{
	const bool vector = bits(w, 26, 1);
	const u32 shift = bits(w, 30, 2) + (vector && bits(w, 23, 1) ? 4 : 0);

	at_base(o, w, 0);
	moves(o, w);
	o->mem.index = not_zero(bits(w, 16, 5));
	/* of what is extended only the lower half counts: no address */
	o->mem.scale = (u8)(bits(w, 12, 1) ? 1u << shift : bits(w, 13, 3) == 3 ? 1 : 2);
}

static void atomic(struct insn_operands *o, u32 w)
{
	at_base(o, w, 0);
	o->mem.bytes = (u8)(1 << bits(w, 30, 2));
	writes(o, bits(w, 0, 5));
}

static void one_register(struct insn_operands *o, u32 w)
{
	const bool vector = bits(w, 26, 1);
	const u32 shift = bits(w, 30, 2) + (vector && bits(w, 23, 1) ? 4 : 0);
	const s64 imm = signed_bits(w, 12, 9);

	if (bits(w, 24, 1)) {
		at_base(o, w, (s64)bits(w, 10, 12) << shift);
		moves(o, w);
	} else if (!bits(w, 21, 1)) {
		const u32 mode = bits(w, 10, 2);	/* 1: after it, 3: before it */

		at_base(o, w, mode == 1 ? 0 : imm);
		moves(o, w);
		if (mode & 1)
			changes_base(o, w, imm);
	} else if (bits(w, 10, 2) == 2) {
		by_register(o, w);
	} else if (!bits(w, 10, 2) && !vector) {
		atomic(o, w);
	} else {
		o->written = ~0ull;	/* signed pointers */
	}
}

static void two_registers(struct insn_operands *o, u32 w)
{
	const u32 opc = bits(w, 30, 2), mode = bits(w, 23, 3);
	const bool vector = bits(w, 26, 1), load = bits(w, 22, 1);
	const int shift = vector ? 2 + (int)opc : opc == 2 ? 3 : 2;
	const s64 imm = signed_bits(w, 15, 7) * (1 << shift);
	const u16 first = not_zero(bits(w, 0, 5)), second = not_zero(bits(w, 10, 5));

	at_base(o, w, mode == 1 ? 0 : imm);
	o->mem.bytes = (u8)(2u << shift);
	if (mode & 1)
		changes_base(o, w, imm);
	if (vector)
		return;
	if (load) {
		writes(o, bits(w, 0, 5));
		writes(o, bits(w, 10, 5));
	}
	if (opc != 2)
		return;
	o->effect = load ? EFFECT_LOAD : EFFECT_STORE;
	o->second = second;
	if (load)
		o->dst = first;
	else
		o->src = first;
}

/* Exclusive, ordered, compare and swap. */
static void exclusive(struct insn_operands *o, u32 w)
{
	const bool load = bits(w, 22, 1), plain = bits(w, 23, 1) && !bits(w, 21, 1);
	const u32 rt = bits(w, 0, 5);

	at_base(o, w, 0);
	o->mem.bytes = (u8)(1 << bits(w, 30, 2));
	if (bits(w, 21, 1) || (!load && !plain))
		writes(o, bits(w, 16, 5));
	if (bits(w, 21, 1)) {
		writes(o, rt);
		writes(o, bits(w, 10, 5));
		writes(o, bits(w, 16, 5) | 1);
		return;
	}
	if (load)
		writes(o, rt);
	if (bits(w, 30, 2) != 3 || (!load && !plain))
		return;
	o->effect = load ? EFFECT_LOAD : EFFECT_STORE;
	if (load)
		o->dst = not_zero(rt);
	else
		o->src = not_zero(rt);
}

static void literal(struct insn_operands *o, u32 w, u64 rva)
{
	const u32 opc = bits(w, 30, 2), rt = bits(w, 0, 5);

	if (opc == 3)		/* a hint */
		return;
	o->has_mem = true;
	o->mem.disp = (s64)rva + signed_bits(w, 5, 19) * 4;
	o->mem.bytes = (u8)(opc == 1 ? 8 : 4);
	if (bits(w, 26, 1))
		return;
	writes(o, rt);
	o->dst = not_zero(rt);
	o->effect = opc == 1 ? EFFECT_LOAD : EFFECT_OTHER;
}

static void memory(struct insn_operands *o, u32 w, u64 rva)
{
	switch (bits(w, 28, 2)) {
	case 0:
		if (!bits(w, 26, 1)) {
			exclusive(o, w);
		} else {	/* of several vectors */
			at_base(o, w, 0);
			if (bits(w, 23, 1))
				o->written |= reg_bit(bits(w, 5, 5));
		}
		break;
	case 1:
		if (!bits(w, 24, 1)) {
			literal(o, w, rva);
		} else if (!bits(w, 21, 1) && !bits(w, 10, 2)) {
			at_base(o, w, signed_bits(w, 12, 9));
			moves(o, w);
		} else {
			o->written = ~0ull;	/* tags, copies of memory */
		}
		break;
	case 2:
		two_registers(o, w);
		break;
	default:
		one_register(o, w);
	}
}

/* ---- */

static void branch_or_system(struct insn_operands *o, u32 w)
{
	if ((w & 0xffffffe0) == 0xd53bd040) {		/* mrs x0, tpidr_el0 */
		o->effect = EFFECT_THREAD;
		o->dst = not_zero(bits(w, 0, 5));
		writes(o, bits(w, 0, 5));
	} else if ((w & 0xfff00000) == 0xd5300000 || (w & 0xfff80000) == 0xd5280000) {
		writes(o, bits(w, 0, 5));		/* mrs, sysl */
	} else if ((w & 0xfc000000) == 0x94000000 || (w & 0xfffffc1f) == 0xd63f0000) {
		o->written |= reg_bit(LR);		/* bl, blr */
		o->stack = true;
	} else if ((w & 0xfffffc1f) == 0xd65f0000) {
		o->stack = true;
	}
}

void arm64_operands(const struct insn *i, struct insn_operands *out)
{
	const u8 *p = i->bytes;
	const u32 w = (u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;

	*out = (struct insn_operands){ .dst = OPERAND_NO_REG, .src = OPERAND_NO_REG,
				       .src2 = OPERAND_NO_REG, .second = OPERAND_NO_REG };
	out->mem.base = out->mem.index = OPERAND_NO_REG;
	switch (bits(w, 25, 4)) {
	case 8: case 9:
		compute_imm(out, w, i->rva);
		break;
	case 10: case 11:
		branch_or_system(out, w);
		break;
	case 4: case 6: case 12: case 14:
		memory(out, w, i->rva);
		break;
	case 5: case 13:
		compute_reg(out, w);
		break;
	case 7: case 15:
		compute_vector(out, w);
		break;
	default:
		out->written = ~0ull;
	}
}
