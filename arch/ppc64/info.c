// SPDX-License-Identifier: GPL-2.0-or-later
// 64-bit PowerPC of both byte orders. Register numbers: asm/perf_regs.h of powerpc; DWARF numbers:
// OpenPOWER ELF V2 ABI, section 2.4 (the link register, 65, in the place of those beyond).
#include "arch/isa.h"

#include <elf.h>

static const char *const reg_names[59] = {
	"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	"r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23",
	"r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31",
	"nip", "msr", "orig_r3", "ctr", "link", "xer", "ccr", "softe",
	"trap", "dar", "dsisr", "sier", "mmcra", "mmcr0", "mmcr1", "mmcr2",
	"mmcr3", "sier2", "sier3", "pmc1", "pmc2", "pmc3", "pmc4", "pmc5",
	"pmc6", "sdar", "siar",
};

static const s8 dwarf_to_perf[35] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
	24, 25, 26, 27, 28, 29, 30, 31, -1, -1, 36,
};

static const char *const uprobe_regs[32] = {
	"%gpr0", "%gpr1", "%gpr2", "%gpr3", "%gpr4", "%gpr5", "%gpr6", "%gpr7",
	"%gpr8", "%gpr9", "%gpr10", "%gpr11", "%gpr12", "%gpr13", "%gpr14", "%gpr15",
	"%gpr16", "%gpr17", "%gpr18", "%gpr19", "%gpr20", "%gpr21", "%gpr22", "%gpr23",
	"%gpr24", "%gpr25", "%gpr26", "%gpr27", "%gpr28", "%gpr29", "%gpr30", "%gpr31",
};

static const char *const syscalls[] = {
#include "arch/ppc64/syscalls.inc"
};

/* The two differ in their byte order alone, which files tell. */
#define PPC64(arch) { \
	.name = arch, \
	.elf_machine = EM_PPC64, \
	.addr_bytes = 8, \
	.insn_align = 4, \
	.user_regs_mask = 0x1fffffffffffULL, \
	.perf_ip = 32, .perf_sp = 1, .perf_fp = 31, \
	.calls.has_lr = true, .perf_lr = 36, .calls.chain_lr = ARCH_CHAIN_SECOND_IS_LR, \
	.calls.frame = ARCH_FRAME_NONE, \
	.dwarf_ra = ARCH_DWARF_RA_BEYOND, .dwarf_sp = 1, .dwarf_fp = 31, \
	.kernel_start_va = 0xc000000000000000ULL, \
	.perf_reg_names = reg_names, .n_perf_regs = ARRAY_SIZE(reg_names), \
	.dwarf_to_perf = dwarf_to_perf, .n_dwarf_regs = ARRAY_SIZE(dwarf_to_perf), \
	.syscall_names = syscalls, .n_syscalls = ARRAY_SIZE(syscalls), \
	.uprobe_regs = uprobe_regs, .n_uprobe_regs = ARRAY_SIZE(uprobe_regs), \
}

const struct arch_info arch_ppc64le = PPC64("ppc64le");
const struct arch_info arch_ppc64 = PPC64("ppc64");
