/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DISASM_DISASM_PRIV_H
#define DISASM_DISASM_PRIV_H
/*
 * Engines, and what they share about x86.
 */
#include "util/disasm/disasm.h"
#include "util/disasm/operands.h"

struct engine {
	const char *name;
	/* NULL: not this instruction set, or (err set) not in this style */
	void *(*open)(const struct disasm_opts *o, const struct disasm_isa *isa, struct err *err);
	/* sym is left NULL. */
	int (*decode)(void *state, const struct code_bytes *in, disasm_put put, void *ctx,
		      struct err *err);
	void (*close)(void *state);
};
extern const struct engine capstone_engine, objdump_engine;
/* 0, or -ENOTSUP with a message: libcapstone is not built in, or is not on this machine. */
int capstone_check(struct err *err);

/* capstone-operands.c. NULL: not this instruction set. */
struct operand_reader *operand_reader_open(const struct disasm_isa *isa);
void operand_reader_close(struct operand_reader *r);	/* NULL is fine */
bool operand_reader_read(struct operand_reader *r, const struct insn *i, struct insn_operands *out);

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

#define INSN_TEXT 192
struct insn_text { char mnemonic[128], operands[INSN_TEXT]; };
/* What it does to the flow of control and to memory, and which address it names. */
void x86_classify(struct insn *i, const u8 *bytes, const struct x86_parts *x, bool is64);
/* From LLVM's spelling of AT&T or Intel syntax (libcapstone's) to that of objdump, in place. */
void x86_att(struct insn_text *t, const u8 *bytes, const struct x86_parts *x, bool is64);
void x86_intel(struct insn_text *t, const u8 *bytes, const struct x86_parts *x, bool is64);
/* Instructions of AVX-512 that libcapstone does not know; false: nor do we. */
bool x86_evex(struct insn_text *t, const u8 *bytes, const struct x86_parts *x, bool intel);

/* The same for arm64. Source: Arm's A64 instruction set, encoding index. */
void arm64_classify(struct insn *i, const u8 *bytes);
void arm64_operands(const struct insn *i, struct insn_operands *out);
void arm64_text(const struct insn *i, struct insn_text *t);

/* What no engine knows: "(bad)", or its bytes. length: how far it reaches, at most in->n. */
void disasm_unknown(struct insn *i, const struct code_bytes *in, u8 length, struct insn_text *t);

#endif
