/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_CFI_H
#define DWARF_CFI_H
/*
 * Call frame information (.eh_frame, .debug_frame), compiled per address into plain rules. Source:
 * DWARF 5 section 6.4, psABI.
 */
#include "util/base/rd.h"

enum cfi_how { CFI_SAME, CFI_UNDEFINED, CFI_AT_CFA, CFI_IS_CFA_PLUS, CFI_REG, CFI_EXPR,
	       CFI_VAL_EXPR };
struct cfi_reg_rule { u8 how; u8 reg; s32 off; u32 expr; };	/* expr: index for cfi_expr() */
#define CFI_MAX_REGS 35
/* The column of the return address where its number is beyond the others (PowerPC: 65). */
#define CFI_RA_BEYOND (CFI_MAX_REGS - 1)
struct cfi_rule {
	u64 start_rva, end_rva;		/* the addresses it holds for */
	u8 cfa_how;			/* CFI_REG: cfa_reg + cfa_off; CFI_EXPR: expression */
	u8 cfa_reg;
	s32 cfa_off;
	u32 cfa_expr;
	bool signal_frame;
	u8 ra_reg;			/* DWARF column, or CFI_RA_BEYOND */
	u8 n_regs;
	struct cfi_reg_rule regs[CFI_MAX_REGS];	/* by DWARF register number */
};

/* Tables of a file, and of its debug file. Sections are added by one thread at a time, while any
 * thread may ask. */
struct elf;
struct cfi_table;
struct cfi_table *cfi_table_new(void);
void cfi_table_free(struct cfi_table *t);	/* NULL is fine */
/* The section of that name, if the file has it; its contents stay those of e. */
void cfi_table_add(struct cfi_table *t, struct elf *e, const char *name);
unsigned cfi_table_sections(const struct cfi_table *t);
/* By the sections from number "from" on. 0, -ENOENT: none covers rva, -EINVAL: damaged. */
int cfi_table_rule(const struct cfi_table *t, unsigned from, u64 rva, struct cfi_rule *out);
/* The function that the tables have at rva; false, and nothing set: none. */
bool cfi_table_range(const struct cfi_table *t, u64 rva, u64 *start, u64 *end);
/* The bytes of an expression named by a rule; borrowed from the file. */
struct span cfi_table_expr(const struct cfi_table *t, u32 expr);

/* The same on bare section bytes (host byte order), for tests: index, then one lookup. eh:
 * .eh_frame, else .debug_frame. */
int cfi_eval(struct span section, u64 section_rva, bool eh, bool is64, u64 rva,
	     struct cfi_rule *out);

#endif
