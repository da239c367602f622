/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H
/*
 * What differs between instruction sets, as data: chosen by the machine that was recorded, never by
 * the host. A new ISA is a new directory and one table line. Sources: the psABI documents, arch's
 * uapi asm/perf_regs.h.
 */
#include "util/base/types.h"

/* Chains that the kernel makes of a task's frames, and the link register: its part is done; what it
 * holds is left out; it always stands in the second place, whether it holds a return address or
 * not. */
enum arch_chain_lr { ARCH_CHAIN_WHOLE, ARCH_CHAIN_LACKS_LR, ARCH_CHAIN_SECOND_IS_LR };

/* Where the frame pointer points to: the caller's frame pointer, above it the return address; above
 * these two words; or no such thing. */
enum arch_frame { ARCH_FRAME_AT, ARCH_FRAME_BELOW, ARCH_FRAME_NONE };

struct arch_calls {
	/* they leave the return address in a register: perf_lr, dwarf_ra */
	bool has_lr;
	u8 chain_lr;			/* enum arch_chain_lr */
	u8 frame;			/* enum arch_frame */
	u8 cfa_above_sp;		/* from a caller's stack pointer up to the CFA */
};

struct arch_info {
	const char *name;		/* as in "uname -m": "x86_64", "aarch64", "i686" */
	u16 elf_machine;		/* EM_* */
	u8 addr_bytes;			/* 4 or 8 */
	u8 insn_align;			/* 1 (x86 only), 2, 4 */
	bool is_x86;
	struct arch_calls calls;
	/* perf's sample registers (PERF_SAMPLE_REGS_USER) */
	u64 user_regs_mask;		/* what to ask for to unwind by DWARF */
	u8 perf_ip, perf_sp, perf_fp, perf_lr;	/* perf register numbers */
	/* by perf register number, spelled as users see them (AX, x0) */
	const char *const *perf_reg_names;
	u8 n_perf_regs;
	/* bits of the address of an instruction, 0: all (pointers may be signed, or have a mode) */
	u64 code_mask;
	/* DWARF register number -> perf register number, -1: none; what has a number of 34 or more
	 * is left out, but that of the return address stands at ARCH_DWARF_RA_BEYOND */
	const s8 *dwarf_to_perf;
	u8 n_dwarf_regs;
	u8 dwarf_ra;			/* DWARF column of the return address */
	u8 dwarf_sp, dwarf_fp;
	const char *const *syscall_names;	/* by number, NULL holes */
	u16 n_syscalls;
	const char *const *uprobe_regs;	/* DWARF register number -> "%di" for kprobe_events */
	u8 n_uprobe_regs;
	/* addresses from here on belong to the kernel; ARCH_KERNEL_ANYWHERE: that is not known of
	 * an address alone */
	u64 kernel_start_va;
};
#define ARCH_KERNEL_ANYWHERE (~0ULL)
#define ARCH_DWARF_RA_BEYOND 34	/* = CFI_RA_BEYOND */

const struct arch_info *arch_by_name(const char *uname_machine);	/* NULL: unknown */
/* machine: EM_* */
const struct arch_info *arch_by_elf(u16 machine, bool is64, bool big_endian);
const struct arch_info *arch_host(void);
/* Of a recording that says "uname_machine": the host's where it says nothing, and one without
 * registers and system calls where nothing is known of that machine (the host's would give wrong
 * names). Never NULL. */
const struct arch_info *arch_recorded(const char *uname_machine);
/* Nothing is known of it but addresses. */
bool arch_is_unknown(const struct arch_info *a);

#endif
