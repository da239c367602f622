/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ARCH_X86_SPLIT_H
#define ARCH_X86_SPLIT_H
/*
 * How long an x86 instruction is, and what it consists of. Any thread.
 */
#include "util/base/types.h"

enum x86_encoding { X86_LEGACY, X86_VEX, X86_EVEX };
/* An x86 instruction taken apart as far as its length needs. Source: Intel's manual, volume 2,
 * chapter 2 and appendix A. */
struct x86_parts {
	u8 length, n_prefixes;
	bool opsize, addrsize, lock, rep, repne;	/* prefixes */
	u8 segment;		/* the prefix byte, or 0 */
	u8 rex, encoding, map, opcode;
	/* of VEX and EVEX: implied prefix (0, 1: 66, 2: F3, 3: F2), W, vector length (0: 128) */
	u8 pp, w, ll;
	u8 evex[3];
	bool has_modrm, has_sib;
	u8 modrm, sib, disp_bytes, imm_bytes, modrm_at, disp_at;
};
/* false: no instruction, or more than n bytes. */
bool x86_split(const u8 *p, size_t n, bool is64, struct x86_parts *out);

#endif
