// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "util/disasm/disasm-priv.h"

static u64 relative(u64 rva, u32 word, int shift, int bits)
{
	const s64 v = (s64)((u64)word << (64 - shift - bits)) >> (64 - bits);

	return rva + (u64)(v * 4);
}

static void jump(struct insn *i, u8 kind, u64 to)
{
	i->kind = kind;
	i->has_target = true;
	i->target_rva = to;
}

void arm64_classify(struct insn *i, const u8 *p)
{
	const u32 w = (u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;

	if ((w & 0x7c000000) == 0x14000000)
		jump(i, w >> 31 ? INSN_CALL : INSN_JUMP, relative(i->rva, w, 0, 26));
	else if ((w & 0xff000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000)
		jump(i, INSN_COND_JUMP, relative(i->rva, w, 5, 19));
	else if ((w & 0x7e000000) == 0x36000000)
		jump(i, INSN_COND_JUMP, relative(i->rva, w, 5, 14));
	else if ((w & 0xfe000000) == 0xd6000000)	/* by register: br, blr, ret */
		i->kind = (w >> 21 & 3) == 2 ? INSN_RET : (w >> 21 & 3) == 1 ? INSN_CALL :
			INSN_JUMP;
	else if ((w & 0x3b000000) == 0x18000000)	/* a literal */
		i->kind = INSN_LOAD;
	else if ((w & 0x0a000000) == 0x08000000)
		i->kind = w >> 22 & 1 ? INSN_LOAD : INSN_STORE;
}

/* "x0, #0x1139" of a branch: objdump has the address without what stands before. */
void arm64_text(const struct insn *i, struct insn_text *t)
{
	char *at = i->has_target ? strrchr(t->operands, '#') : NULL;

	if (at)
		snprintf(at, sizeof(t->operands) - (size_t)(at - t->operands), "%llx",
			 (unsigned long long)i->target_rva);
}
