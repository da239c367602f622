/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_CFI_H
#define SYMBOLS_CFI_H
/*
 * Call frame information of a dso (.eh_frame, .debug_frame; also of its debug file), compiled per address into plain rules.
 * Source: DWARF 5 section 6.4, psABI. Any thread.
 */
#include "util/symbols/dso.h"

enum cfi_how { CFI_SAME, CFI_UNDEFINED, CFI_AT_CFA, CFI_IS_CFA_PLUS, CFI_REG, CFI_EXPR, CFI_VAL_EXPR };
struct cfi_reg_rule { u8 how; u8 reg; s32 off; u32 expr; };	/* expr: index for cfi_expr() */
#define CFI_MAX_REGS 34
struct cfi_rule {
	u64 start_rva, end_rva;		/* the addresses it holds for */
	u8 cfa_how;			/* CFI_REG: cfa_reg + cfa_off; CFI_EXPR: expression */
	u8 cfa_reg;
	s32 cfa_off;
	u32 cfa_expr;
	bool signal_frame;
	u8 ra_reg;			/* DWARF column */
	u8 n_regs;
	struct cfi_reg_rule regs[CFI_MAX_REGS];	/* by DWARF register number */
};
/* 0, -ENOENT: no CFI covers rva, -EINVAL: damaged. */
int dso_cfi(struct dso *d, u64 rva, struct cfi_rule *out);
/* The start of the function that its own unwind tables have at rva, symbols or not; false, start as it was: none covers it. */
bool dso_function_start(struct dso *d, u64 rva, u64 *start);
bool dso_function_range(struct dso *d, u64 rva, u64 *start, u64 *end);	/* end: of the part that these tables are of */
/* The bytes of an expression named by a rule; borrowed from the dso. */
struct span dso_cfi_expr(struct dso *d, u32 expr);

/* Where the kernel starts it (of programs and of the dynamic linker); false: nowhere. */
bool dso_entry(struct dso *d, u64 *rva);
/* A program by Go's compiler, as its sections say. */
bool dso_is_go(struct dso *d);
/* Where .eh_frame_hdr lies (PT_GNU_EH_FRAME); false: none. */
bool dso_eh_frame_hdr(struct dso *d, u64 *rva);

/* The same on bare section bytes (host byte order), for tests: index, then one lookup. eh: .eh_frame, else .debug_frame. */
int cfi_eval(struct span section, u64 section_rva, bool eh, bool is64, u64 rva, struct cfi_rule *out);

#endif
