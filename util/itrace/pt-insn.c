// SPDX-License-Identifier: GPL-2.0-or-later
// How x86 instructions go on. Source: Intel SDM volume 2, appendix A; volume 3, "Change of Flow
// Instruction Tracing".
#include <string.h>

#include "arch/x86-split.h"
#include "util/itrace/pt.h"

static const struct { u8 flow; u16 flags; } kinds[] = {
	[PT_NEXT] = { PT_NEXT, 0 },
	[PT_JUMP] = { PT_JUMP, PT_F_BRANCH },
	[PT_CALL] = { PT_CALL, PT_F_BRANCH | PT_F_CALL },
	[PT_COND] = { PT_COND, PT_F_BRANCH | PT_F_CONDITIONAL },
	[PT_JUMP_TO] = { PT_JUMP_TO, PT_F_BRANCH },
	[PT_CALL_TO] = { PT_CALL_TO, PT_F_BRANCH | PT_F_CALL },
	[PT_RETURN] = { PT_RETURN, PT_F_BRANCH | PT_F_RETURN },
	[PT_WRITE] = { PT_WRITE, 0 },
};

enum {
	FAR_INT = PT_F_BRANCH | PT_F_CALL | PT_F_INTERRUPT,
	FAR_IRET = PT_F_BRANCH | PT_F_RETURN | PT_F_INTERRUPT,
	FAR_SYSCALL = PT_F_BRANCH | PT_F_CALL | PT_F_SYSTEM,
	FAR_SYSRET = PT_F_BRANCH | PT_F_RETURN | PT_F_SYSTEM,
	FAR_VMENTRY = PT_F_BRANCH | PT_F_CALL | PT_F_VMENTRY,
};

static void set(struct pt_insn *out, enum pt_flow flow)
{
	out->flow = kinds[flow].flow;
	out->flags = kinds[flow].flags;
}

static void set_far(struct pt_insn *out, u16 flags)
{
	out->flow = PT_FAR;
	out->flags = flags;
}

/* ff /2 to /5: register and memory forms, near and far. */
static void set_group5(struct pt_insn *out, u8 reg)
{
	static const u8 flow[8] = { PT_NEXT, PT_NEXT, PT_CALL_TO, PT_FAR, PT_JUMP_TO, PT_FAR,
				    PT_NEXT, PT_NEXT };

	if (flow[reg] == PT_FAR)
		set_far(out, reg == 3 ? PT_F_BRANCH | PT_F_CALL : PT_F_BRANCH);
	else
		set(out, flow[reg]);
}

static void set_one_byte(struct pt_insn *out, const struct x86_parts *x, unsigned bits)
{
	const u8 op = x->opcode;

	if ((op >= 0x70 && op < 0x80) || (op >= 0xe0 && op < 0xe4)) {
		set(out, PT_COND);
		return;
	}
	switch (op) {
	case 0xe8: set(out, PT_CALL); break;
	case 0xe9: case 0xeb: set(out, PT_JUMP); break;
	case 0xc2: case 0xc3: set(out, PT_RETURN); break;
	case 0xca: case 0xcb: set_far(out, PT_F_BRANCH | PT_F_RETURN); break;
	case 0xcc: case 0xcd: case 0xf1: set_far(out, FAR_INT); break;
	case 0xce:
		if (bits != 64)
			set_far(out, FAR_INT);
		break;
	case 0xcf: set_far(out, FAR_IRET); break;
	case 0x9a: set_far(out, PT_F_BRANCH | PT_F_CALL); break;
	case 0xea: set_far(out, PT_F_BRANCH); break;
	case 0xff: set_group5(out, x->modrm >> 3 & 7); break;
	}
}

static void set_two_bytes(struct pt_insn *out, const struct x86_parts *x)
{
	const u8 op = x->opcode;

	if (op >= 0x80 && op < 0x90)
		set(out, PT_COND);
	else if (op == 0x05 || op == 0x34)
		set_far(out, FAR_SYSCALL);
	else if (op == 0x07 || op == 0x35)
		set_far(out, FAR_SYSRET);
	else if (op == 0x01 && (x->modrm == 0xc2 || x->modrm == 0xc3))
		set_far(out, FAR_VMENTRY);	/* vmlaunch, vmresume */
	else if (op == 0x01 && x->modrm == 0xca && (x->rep || x->repne))
		set_far(out, FAR_SYSRET);	/* erets */
	else if (op == 0xae && x->rep && (x->modrm >> 3 & 7) == 4)
		set(out, PT_WRITE);
}

static s32 immediate(const u8 *end, u8 n)
{
	s32 v32;
	s16 v16;

	switch (n) {
	case 1:
		return (s8)end[-1];
	case 2:
		memcpy(&v16, end - 2, 2);
		return v16;
	case 4:
		memcpy(&v32, end - 4, 4);
		return v32;
	}
	return 0;
}

bool pt_insn_get(const u8 *p, size_t n, unsigned bits, struct pt_insn *out)
{
	struct x86_parts x;

	if (!x86_split(p, n, bits == 64, &x) || x.length > PT_INSN_BYTES - 1)
		return false;
	*out = (struct pt_insn){ .bytes = x.length, .flow = PT_NEXT };
	memcpy(out->code, p, x.length);
	if (x.encoding == X86_LEGACY && x.map == 0)
		set_one_byte(out, &x, bits);
	else if (x.encoding == X86_LEGACY && x.map == 1)
		set_two_bytes(out, &x);
	if (out->flow == PT_JUMP || out->flow == PT_CALL || out->flow == PT_COND)
		out->rel = immediate(p + x.length, x.imm_bytes);
	return true;
}
