// SPDX-License-Identifier: GPL-2.0-or-later
// Operands of x86-64 instructions as libcapstone has them. Numbers of registers: psABI, figure
// 3.36.
#include <elf.h>

#include "util/base/xalloc.h"
#include "util/disasm/capstone-lib.h"
#include "util/disasm/disasm-priv.h"

#define N_GENERAL 16

struct operand_reader { const struct capstone *lib; csh handle; cs_insn *insn; };

struct operand_reader *operand_reader_open(const struct disasm_isa *isa)
{
	struct operand_reader *r;

	if (isa->machine != EM_X86_64 || !isa->is64)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->lib = capstone_lib();
	if (!r->lib || r->lib->open(CS_ARCH_X86, CS_MODE_64, &r->handle) != CS_ERR_OK) {
		free(r);
		return NULL;
	}
	r->lib->option(r->handle, CS_OPT_DETAIL, CS_OPT_ON);
	r->insn = r->lib->malloc(r->handle);
	return r;
}

void operand_reader_close(struct operand_reader *r)
{
	if (!r)
		return;
	r->lib->free(r->insn, 1);
	r->lib->close(&r->handle);
	free(r);
}

#define GENERAL(n, r64, r32, r16, r8) \
	{ X86_REG_##r64, n }, { X86_REG_##r32, n }, { X86_REG_##r16, n }, { X86_REG_##r8, n }
static const struct { u16 reg; u8 number; } numbers[] = {
	GENERAL(0, RAX, EAX, AX, AL), GENERAL(1, RDX, EDX, DX, DL), GENERAL(2, RCX, ECX, CX, CL),
	GENERAL(3, RBX, EBX, BX, BL), GENERAL(4, RSI, ESI, SI, SIL), GENERAL(5, RDI, EDI, DI, DIL),
	GENERAL(6, RBP, EBP, BP, BPL), GENERAL(7, RSP, ESP, SP, SPL),
	GENERAL(8, R8, R8D, R8W, R8B), GENERAL(9, R9, R9D, R9W, R9B),
	GENERAL(10, R10, R10D, R10W, R10B), GENERAL(11, R11, R11D, R11W, R11B),
	GENERAL(12, R12, R12D, R12W, R12B), GENERAL(13, R13, R13D, R13W, R13B),
	GENERAL(14, R14, R14D, R14W, R14B), GENERAL(15, R15, R15D, R15W, R15B),
	{ X86_REG_AH, 0 }, { X86_REG_DH, 1 }, { X86_REG_CH, 2 }, { X86_REG_BH, 3 },
};

static u16 number_of(unsigned reg)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i].reg == reg)
			return numbers[i].number;
	return OPERAND_NO_REG;
}

static void read_written(struct operand_reader *r, struct insn_operands *out)
{
	cs_regs read, written;
	uint8_t n_read, n_written;

	if (r->lib->regs_access(r->handle, r->insn, read, &n_read, written, &n_written)) {
		out->written = ~0ull;
		return;
	}
	for (uint8_t i = 0; i < n_written; i++) {
		const u16 n = number_of(written[i]);

		if (n < N_GENERAL)
			out->written |= 1ull << n;
	}
}

static bool read_mem(const struct operand_reader *r, const cs_x86_op *op, struct insn_operands *out)
{
	const x86_op_mem *m = &op->mem;

	out->mem.bytes = op->size;
	out->mem.scale = (u8)m->scale;
	out->mem.disp = m->disp;
	out->mem.segment = m->segment == X86_REG_FS || m->segment == X86_REG_GS;
	out->mem.thread = m->segment == X86_REG_FS;
	out->mem.relative = m->base == X86_REG_RIP;
	out->mem.base = number_of(m->base);
	out->mem.index = number_of(m->index);
	if (m->base == X86_REG_RIP)
		out->mem.disp += (s64)(r->insn->address + r->insn->size);
	/* a vector of indexes, or eip: nobody can say where it goes */
	return (out->mem.base != OPERAND_NO_REG || m->base == X86_REG_INVALID ||
		m->base == X86_REG_RIP) &&
		(out->mem.index != OPERAND_NO_REG || m->index == X86_REG_INVALID ||
		 m->index == X86_REG_RIZ);
}

/* A write to the lower half clears the upper one. */
static bool is_constant_move(const cs_x86_op *dst, const cs_x86_op *src)
{
	return src->type == X86_OP_IMM && dst->type == X86_OP_REG && dst->size >= 4 &&
		number_of(dst->reg) != OPERAND_NO_REG;
}

static bool is_whole(const cs_x86_op *op)
{
	return op->type == X86_OP_REG && op->size == 8 && number_of(op->reg) != OPERAND_NO_REG;
}

static void read_move(const cs_x86 *x, struct insn_operands *out)
{
	const cs_x86_op *dst = &x->operands[0], *src = &x->operands[1];

	if (is_whole(dst) && is_whole(src))
		out->effect = EFFECT_COPY;
	else if (is_constant_move(dst, src))
		out->effect = EFFECT_CONSTANT;
	else if (is_whole(dst) && src->type == X86_OP_MEM)
		out->effect = EFFECT_LOAD;
	else if (dst->type == X86_OP_MEM && is_whole(src))
		out->effect = EFFECT_STORE;
	if (out->effect == EFFECT_CONSTANT)
		out->imm = dst->size == 8 ? src->imm : (s64)(u32)src->imm;
	if (dst->type == X86_OP_REG)
		out->dst = number_of(dst->reg);
	if (src->type == X86_OP_REG)
		out->src = number_of(src->reg);
}

static void read_add(const cs_x86 *x, bool negative, struct insn_operands *out)
{
	const cs_x86_op *dst = &x->operands[0], *src = &x->operands[1];

	if (!is_whole(dst))
		return;
	out->dst = number_of(dst->reg);
	if (src->type == X86_OP_IMM) {
		out->effect = EFFECT_ADD;
		out->src = out->dst;
		out->imm = negative ? -src->imm : src->imm;
	} else if (is_whole(src) && !negative) {
		out->effect = EFFECT_ADD_REG;
		out->src = out->dst;
		out->src2 = number_of(src->reg);
	} else if (src->type == X86_OP_MEM && !negative) {
		out->effect = EFFECT_ADD_MEM;
	}
}

static void read_effect(const cs_insn *insn, struct insn_operands *out)
{
	const cs_x86 *x = &insn->detail->x86;

	switch (insn->id) {
	case X86_INS_MOV:
		read_move(x, out);
		break;
	case X86_INS_LEA:
		out->effect = is_whole(&x->operands[0]) ? EFFECT_ADDRESS : EFFECT_OTHER;
		out->dst = number_of(x->operands[0].reg);
		out->has_mem = false;
		break;
	case X86_INS_ADD:
	case X86_INS_SUB:
		read_add(x, insn->id == X86_INS_SUB, out);
		break;
	case X86_INS_SHL:
		out->effect = is_whole(&x->operands[0]) ? EFFECT_INDEX : EFFECT_OTHER;
		out->dst = number_of(x->operands[0].reg);
		break;
	case X86_INS_NOP:
		out->has_mem = false;
		break;
	case X86_INS_PUSH:
	case X86_INS_POP:
	case X86_INS_CALL:
	case X86_INS_RET:
	case X86_INS_LEAVE:
		out->stack = true;
		break;
	default:
		break;
	}
}

bool operand_reader_read(struct operand_reader *r, const struct insn *i, struct insn_operands *out)
{
	const u8 *p = i->bytes;
	size_t n = i->length;
	u64 rva = i->rva;
	const cs_x86 *x;

	*out = (struct insn_operands){ .dst = OPERAND_NO_REG, .src = OPERAND_NO_REG,
				       .src2 = OPERAND_NO_REG, .second = OPERAND_NO_REG };
	if (!r->lib->disasm_iter(r->handle, &p, &n, &rva, r->insn))
		return false;
	x = &r->insn->detail->x86;
	for (u8 k = 0; k < x->op_count; k++)
		if (x->operands[k].type == X86_OP_MEM && !out->has_mem)
			out->has_mem = read_mem(r, &x->operands[k], out);
	read_written(r, out);
	read_effect(r->insn, out);
	return true;
}
