/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_CFI_H
#define SYMBOLS_CFI_H
/*
 * Call frame information of a dso; also of its debug file. Any thread.
 */
#include "util/dwarf/cfi.h"
#include "util/symbols/dso.h"

/* 0, -ENOENT: no CFI covers rva, -EINVAL: damaged. */
int dso_cfi(struct dso *d, u64 rva, struct cfi_rule *out);
/* The start of the function that its own unwind tables have at rva, symbols or not; false, start
 * as it was: none covers it. */
bool dso_function_start(struct dso *d, u64 rva, u64 *start);
/* end: of the part that these tables are of */
bool dso_function_range(struct dso *d, u64 rva, u64 *start, u64 *end);
/* The bytes of an expression named by a rule; borrowed from the dso. */
struct span dso_cfi_expr(struct dso *d, u32 expr);

/* Where the kernel starts it (of programs and of the dynamic linker); false: nowhere. */
bool dso_entry(struct dso *d, u64 *rva);
/* A program by Go's compiler, as its sections say. */
bool dso_is_go(struct dso *d);
/* Where .eh_frame_hdr lies (PT_GNU_EH_FRAME); false: none. */
bool dso_eh_frame_hdr(struct dso *d, u64 *rva);

#endif
