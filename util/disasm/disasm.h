/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DISASM_DISASM_H
#define DISASM_DISASM_H
/*
 * Instructions out of the bytes of a dso: as text in the spelling of objdump, with what a listing
 * asks of each (how long it is, where it goes). Engines are a table: libcapstone in process, and
 * the program objdump, which is asked only by name or where libcapstone is not built in. Bytes
 * come from dso_read(): of files, of the running kernel, of a vdso. Which instruction set: that of
 * the file, else that of the recording; never the host's.
 *
 *	struct disasm *x = disasm_new(&opts, &err);
 *	disasm_range(x, dso, from_rva, to_rva, put, ctx, &err);
 *	disasm_free(x);
 */
#include "arch/arch.h"
#include "util/base/str.h"
#include "util/symbols/dso.h"

enum insn_kind { INSN_OTHER, INSN_CALL, INSN_JUMP, INSN_COND_JUMP, INSN_RET, INSN_LOAD,
		 INSN_STORE };

#define INSN_MAX_BYTES 16

struct insn {
	u64 rva;
	u64 target_rva;		/* with has_target: where a call or jump goes; ... */
	u64 data_rva;		/* with has_data: what an operand names, counted from here */
	u8 length;		/* bytes; never 0 */
	u8 kind;		/* enum insn_kind */
	bool has_target, has_data;
	/* no engine knows what it does; its length is right where the encoding tells it */
	bool unknown;
	u8 bytes[INSN_MAX_BYTES];
	const char *mnemonic;	/* "call", "rep stos" */
	/* as objdump writes them, without names of addresses: "1139", "0x2ee3(%rip),%rax"; "" */
	const char *operands;
	/* the symbol at target_rva (data_rva where there is no target), demangled; NULL: none */
	const struct symbol *sym;
};

struct disasm_opts {
	const struct arch_info *arch;	/* of the recording */
	const char *objdump;		/* --objdump: this program is used; NULL: libcapstone */
	const char *style;		/* -M: "att", "intel"; NULL: the usual one */
};

struct disasm;
/* opts is copied, its texts are borrowed. -EINVAL: no such style; -ENOTSUP: no engine. NULL then.
 * One owner, one thread. */
struct disasm *disasm_new(const struct disasm_opts *opts, struct err *err);
void disasm_free(struct disasm *x);	/* NULL is fine */

/* Instructions of bytes that are at hand; their sym is NULL. align: of instructions, which is
 * stepped over where nothing is known. */
struct disasm_isa { u16 machine; bool is64, big_endian; u8 align; };	/* EM_* */
struct code_bytes { const u8 *p; size_t n; u64 rva; };
typedef int (*disasm_put)(void *ctx, const struct insn *i);
int disasm_bytes(struct disasm *x, const struct disasm_isa *isa, const struct code_bytes *in,
		 disasm_put put, void *ctx, struct err *err);

/* Instructions that begin in [from_rva, to_rva), in order; insn and its texts are valid until put
 * returns; put's non-zero return ends it and is returned. Ranges above DISASM_MAX_BYTES, and what
 * of the range cannot be read, are left out (where the rest ends: *end_rva, if not NULL).
 * -ENODATA: no byte of it can be read. */
#define DISASM_MAX_BYTES (16u << 20)
struct disasm_range { u64 from_rva, to_rva; };
int disasm_range(struct disasm *x, struct dso *d, const struct disasm_range *range, disasm_put put,
		 void *ctx, struct err *err);

/* As objdump writes a line behind the address: "call   1139 <foo>",
 * "mov    0x2ee3(%rip),%rax        # 4010 <sym>". Names are not made safe. */
void insn_add_text(struct str *out, const struct insn *i);
void insn_add_operands(struct str *out, const struct insn *i);	/* what is behind the mnemonic */

#endif
