// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "util/disasm/disasm-priv.h"

static s64 read_signed(const u8 *p, u8 n)
{
	u64 v = 0;

	for (u8 i = 0; i < n && i < 8; i++)
		v |= (u64)p[i] << (8 * i);
	return n == 1 ? (s8)v : n == 2 ? (s16)v : n == 4 ? (s32)v : (s64)v;
}

static u8 flow_kind(const struct x86_parts *x)
{
	const u8 op = x->opcode, reg = x->modrm >> 3 & 7;

	if (x->encoding != X86_LEGACY || x->map > 1)
		return INSN_OTHER;
	if (x->map == 1)
		return op >= 0x80 && op < 0x90 ? INSN_COND_JUMP : INSN_OTHER;
	if ((op >= 0x70 && op < 0x80) || (op >= 0xe0 && op < 0xe4))
		return INSN_COND_JUMP;
	switch (op) {
	case 0xe8: case 0x9a: return INSN_CALL;
	case 0xe9: case 0xea: case 0xeb: return INSN_JUMP;
	case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcf: return INSN_RET;
	case 0xff: return reg == 2 || reg == 3 ? INSN_CALL : reg == 4 || reg == 5 ? INSN_JUMP :
		INSN_OTHER;
	default: return INSN_OTHER;
	}
}

static bool legacy_stores(const struct x86_parts *x)
{
	const u8 op = x->opcode, reg = x->modrm >> 3 & 7;

	if (x->map == 0)
		return (op < 0x38 && (op & 7) < 2) || op == 0x88 || op == 0x89 || op == 0x86 ||
			op == 0x87 || op == 0x8f || op == 0xc6 || op == 0xc7 ||
			(op >= 0x80 && op < 0x84 && reg != 7) ||
			((op == 0xc0 || op == 0xc1 || (op >= 0xd0 && op < 0xd4))) ||
			((op == 0xf6 || op == 0xf7) && (reg == 2 || reg == 3)) ||
			((op == 0xfe || op == 0xff) && reg < 2);
	return (op >= 0x90 && op < 0xa0) || op == 0xa4 || op == 0xa5 || op == 0xac || op == 0xad ||
		op == 0xab || op == 0xb0 || op == 0xb1 || op == 0xb3 || op == 0xbb || op == 0xc0 ||
		op == 0xc1 || op == 0xc3 || op == 0xc7 || (op == 0xba && reg > 4);
}

/* moves of vectors to memory */
static bool vector_stores(const struct x86_parts *x)
{
	const u8 op = x->opcode;

	return x->map == 1 && (op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x2b ||
			       op == 0x7e || op == 0x7f || op == 0xd6 || op == 0xe7);
}

static u8 memory_kind(const struct x86_parts *x)
{
	const u8 op = x->opcode;

	if (!x->has_modrm || x->modrm >> 6 == 3)
		return INSN_OTHER;
	if (x->encoding == X86_LEGACY && (x->map == 0 ? op == 0x8d : x->map == 1 &&
					  (op == 0x0d || (op >= 0x18 && op < 0x20))))
		return INSN_OTHER;	/* lea, prefetch, nop */
	if (vector_stores(x) && !(x->pp == 2 && op == 0x7e) && !(x->rep && op == 0x7e))
		return INSN_STORE;
	return x->encoding == X86_LEGACY && x->map < 2 && legacy_stores(x) ? INSN_STORE : INSN_LOAD;
}

void x86_classify(struct insn *i, const u8 *bytes, const struct x86_parts *x, bool is64)
{
	const u8 op = x->opcode;
	const u64 end = i->rva + x->length;

	i->kind = flow_kind(x);
	if (i->kind != INSN_OTHER && !x->has_modrm && op != 0x9a && op != 0xea &&
	    i->kind != INSN_RET && x->imm_bytes) {
		i->has_target = true;
		i->target_rva = end + (u64)read_signed(bytes + x->length - x->imm_bytes,
						       x->imm_bytes);
		if (!is64)
			i->target_rva &= UINT32_MAX;
	}
	if (!x->map && op == 0xc7 && x->modrm == 0xf8) {	/* xbegin */
		i->kind = INSN_COND_JUMP;
		i->has_target = true;
		i->target_rva = end + (u64)read_signed(bytes + x->length - x->imm_bytes,
						       x->imm_bytes);
	}
	if (i->kind == INSN_OTHER)
		i->kind = memory_kind(x);
	if (is64 && x->has_modrm && (x->modrm & 0xc7) == 5) {
		i->has_data = true;
		i->data_rva = end + (u64)read_signed(bytes + x->disp_at, 4);
	}
}
