/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_CFI_PRIV_H
#define DWARF_CFI_PRIV_H
/*
 * Sections of call frame information, indexed by address, and the execution of their instructions.
 */
#include "util/base/rd.h"
#include "util/dwarf/cfi.h"

struct cfi_fde { u64 start_rva, end_rva; u32 off; };

struct cfi_sec {
	struct span data;	/* borrowed from the ELF file, which stays open */
	u64 rva;		/* of the section, for pc-relative pointers */
	u64 text_rva, got_rva;	/* bases of text- and data-relative ones */
	bool eh;		/* .eh_frame, not .debug_frame */
	bool is64, swap;
	struct cfi_fde *fdes;	/* sorted by start */
	size_t n_fdes, cap_fdes;
};

#define CFI_MAX_SECS 3
struct cfi_table {
	struct cfi_sec sec[CFI_MAX_SECS];
	int n_secs;
};

/* cfi-exec.c */
struct cfi_cie {
	u64 code_align;
	s64 data_align;
	u8 ra_reg, fde_encoding, addr_bytes;
	bool signal_frame, sized_augmentation;
	struct rd init;		/* initial instructions */
};
struct cfi_exec {
	const struct cfi_sec *sec;
	const struct cfi_cie *cie;
	unsigned sec_nr;
	u64 fde_start;
};
/* Runs the instructions up to the row of rva. */
int cfi_run(const struct cfi_exec *x, struct rd fde_insns, u64 end_rva, u64 rva,
	    struct cfi_rule *out);
u64 cfi_read_pointer(const struct cfi_sec *s, struct rd *r, u8 encoding, unsigned addr_bytes);

#define CFI_EXPR_SEC_SHIFT 30	/* expression number: section and offset of its length */

#endif
