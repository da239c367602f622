// SPDX-License-Identifier: GPL-2.0-or-later
// What instructions do to the stack pointer and the frame pointer. Encodings: Intel SDM 2.
#include <string.h>

#include "arch/x86-split.h"
#include "util/unwind/code-priv.h"

enum { SP = 4, FP = 5, MOD_REGISTER = 3, SIB_SP = 0x24 };
#define WORD 8

static s64 number(const u8 *b, u8 bytes)
{
	s32 v = 0;

	if (bytes == 1)
		return (s8)b[0];
	if (bytes < 4)
		return 0;
	memcpy(&v, b, sizeof(v));
	return v;
}

static s64 immediate(const struct x86_parts *x, const u8 *b)
{
	return number(b + x->length - x->imm_bytes, x->imm_bytes);
}

static unsigned reg_of(const struct x86_parts *x)
{
	return (x->modrm >> 3 & 7) | (x->rex & 4) << 1;
}

static unsigned rm_of(const struct x86_parts *x)
{
	return (x->modrm & 7) | (x->rex & 1) << 3;
}

static bool is_register(const struct x86_parts *x) { return x->modrm >> 6 == MOD_REGISTER; }

static void push(struct code_state *s) { s->sp.off -= WORD; }

static void pop_fp(struct code_state *s)
{
	s->saved = s->sp;
	s->fp.known = false;
}

static enum code_flow pop(struct code_state *s, unsigned reg)
{
	if (reg == SP)
		return CODE_LOST;
	if (reg == FP)
		pop_fp(s);
	s->sp.off += WORD;
	return CODE_ON;
}

/* to = from */
static enum code_flow move(struct code_state *s, unsigned to, unsigned from)
{
	if (to == SP && from != FP)
		return CODE_LOST;
	if (to == SP)
		s->sp = s->fp;
	else if (to == FP && from == SP)
		s->fp = s->sp;
	else if (to == FP)
		s->fp.known = false;
	return CODE_ON;
}

static enum code_flow load_address(struct code_state *s, const struct x86_parts *x, const u8 *b)
{
	const unsigned to = reg_of(x);
	const bool by_sp = x->has_sib && x->sib == SIB_SP && !(x->rex & 1),
		by_fp = !x->has_sib && rm_of(x) == FP && x->modrm >> 6;
	struct code_value v = by_sp ? s->sp : s->fp;

	if (to != SP && to != FP)
		return CODE_ON;
	v.known &= by_sp || by_fp;
	v.off += (s32)number(b + x->disp_at, x->disp_bytes);
	if (to == SP)
		s->sp = v;
	else
		s->fp = v;
	return CODE_ON;
}

/* add, or, adc, sbb, and, sub, xor, cmp of a number */
static enum code_flow calculate(struct code_state *s, const struct x86_parts *x, const u8 *b)
{
	const unsigned op = x->modrm >> 3 & 7, to = rm_of(x);
	const s32 by = (s32)immediate(x, b);

	if (!is_register(x) || (to != SP && to != FP) || op == 7)
		return CODE_ON;
	if (to == FP || (op != 0 && op != 5))
		(to == SP ? &s->sp : &s->fp)->known = false;
	else
		s->sp.off += op ? -by : by;
	return CODE_ON;
}

static enum code_flow group5(struct code_state *s, const struct x86_parts *x, u64 *target)
{
	switch (x->modrm >> 3 & 7) {
	case 2:
		*target = 0;
		return CODE_CALL;
	case 4:
		return CODE_LOST;
	case 6:
		push(s);
		return CODE_ON;
	default:
		return CODE_ON;
	}
}

#define NR_EXIT 60
#define NR_EXIT_GROUP 231

/* mov or push of a number, which may be that of a system call */
static void note_number(struct code_state *s, s64 v, bool is_byte)
{
	s->exits = v == NR_EXIT || v == (is_byte ? (s8)NR_EXIT_GROUP : NR_EXIT_GROUP);
}

static enum code_flow leave(struct code_state *s)
{
	s->sp = s->fp;
	return pop(s, FP);
}

static enum code_flow by_register(struct code_state *s, const struct x86_parts *x)
{
	const bool to_rm = x->opcode == 0x89 || x->opcode == 0x29 || x->opcode == 0x01;
	const unsigned to = to_rm ? rm_of(x) : reg_of(x), from = to_rm ? reg_of(x) : rm_of(x);

	if (to_rm && !is_register(x))
		return CODE_ON;
	if (x->opcode == 0x89 || x->opcode == 0x8b)
		return move(s, to, is_register(x) ? from : 0);
	if (to == SP)
		s->sp.known = false;
	return CODE_ON;
}

static enum code_flow step_long(struct code_state *s, const struct x86_parts *x, const u8 *b,
				u64 *target)
{
	if (x->map != 1 || x->encoding != X86_LEGACY)
		return CODE_ON;
	if (x->opcode == 0x05)
		return s->exits ? CODE_STOP : CODE_ON;
	if (x->opcode == 0x0b || x->opcode == 0xff || x->opcode == 0xb9)
		return CODE_STOP;
	if (x->opcode >= 0x80 && x->opcode < 0x90) {
		*target += (u64)immediate(x, b);
		return CODE_BRANCH;
	}
	return CODE_ON;
}

static enum code_flow step_short(struct code_state *s, const struct x86_parts *x, const u8 *b,
				 u64 *target)
{
	const u8 op = x->opcode;

	if ((op >= 0x70 && op < 0x80) || (op >= 0xe0 && op < 0xe4)) {
		*target += (u64)immediate(x, b);
		return CODE_BRANCH;
	}
	if (op >= 0x50 && op < 0x58) {
		push(s);
		if (op == 0x50 + FP && !(x->rex & 1) && s->fp.known && s->fp.of_fp && !s->fp.off)
			s->saved = s->sp;
		return CODE_ON;
	}
	if (op >= 0x58 && op < 0x60)
		return pop(s, (op & 7u) | (x->rex & 1) << 3);
	switch (op) {
	case 0x68: case 0x6a:
		push(s);
		note_number(s, immediate(x, b), op == 0x6a);
		return CODE_ON;
	case 0xb0: case 0xb8:
		note_number(s, immediate(x, b), op == 0xb0);
		return CODE_ON;
	case 0x9c: push(s); return CODE_ON;
	case 0x9d: case 0x8f: s->sp.off += WORD; return CODE_ON;
	case 0x01: case 0x03: case 0x29: case 0x2b: case 0x89: case 0x8b:
		return by_register(s, x);
	case 0x81: case 0x83: return calculate(s, x, b);
	case 0x8d: return load_address(s, x, b);
	case 0xff: return group5(s, x, target);
	case 0xc9: return leave(s);
	case 0xc2: case 0xc3: return CODE_RETURN;
	case 0xcc: case 0xf4: return CODE_STOP;
	case 0xc8: case 0xca: case 0xcb: case 0xcf: case 0x94: return CODE_LOST;
	case 0xe8: *target += (u64)immediate(x, b); return CODE_CALL;
	case 0xe9: case 0xeb: *target += (u64)immediate(x, b); return CODE_JUMP;
	default: return CODE_ON;
	}
}

enum code_flow code_step(struct code_state *s, const u8 *b, size_t n, u64 *target, u8 *length)
{
	struct x86_parts x;

	if (!x86_split(b, n, true, &x))
		return CODE_LOST;
	*length = x.length;
	*target = s->rva + x.length;
	return x.encoding == X86_LEGACY && !x.map ? step_short(s, &x, b, target) :
		step_long(s, &x, b, target);
}
