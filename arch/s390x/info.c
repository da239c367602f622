// SPDX-License-Identifier: GPL-2.0-or-later
// IBM Z, 64-bit. Register numbers: asm/perf_regs.h of s390; DWARF numbers: ELF Application Binary
// Interface, s390x supplement, section 1.6.
#include "arch/isa.h"

#include <elf.h>

static const char *const reg_names[34] = {
	"R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7",
	"R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
	"FP0", "FP1", "FP2", "FP3", "FP4", "FP5", "FP6", "FP7",
	"FP8", "FP9", "FP10", "FP11", "FP12", "FP13", "FP14", "FP15",
	"MASK", "PC",
};

static const s8 dwarf_to_perf[32] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15, 16, 18, 20, 22, 17, 19, 21, 23,
	24, 26, 28, 30, 25, 27, 29, 31,
};

static const char *const uprobe_regs[16] = {
	"%r0", "%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r7",
	"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
};

static const char *const syscalls[] = {
#include "arch/s390x/syscalls.inc"
};

const struct arch_info arch_s390x = {
	.name = "s390x",
	.elf_machine = EM_S390,
	.addr_bytes = 8,
	.insn_align = 2,
	.user_regs_mask = 0x3ffffffffULL,
	.perf_ip = 33, .perf_sp = 15, .perf_fp = 11,
	.calls.has_lr = true, .perf_lr = 14,
	.calls.frame = ARCH_FRAME_NONE,
	.dwarf_ra = 14, .dwarf_sp = 15, .dwarf_fp = 11,
	.calls.cfa_above_sp = 160,		/* the area that callees save registers in */
	/* the kernel has an address space of its own: it begins at 0, as those of tasks do */
	.kernel_start_va = ARCH_KERNEL_ANYWHERE,
	.perf_reg_names = reg_names, .n_perf_regs = ARRAY_SIZE(reg_names),
	.dwarf_to_perf = dwarf_to_perf, .n_dwarf_regs = ARRAY_SIZE(dwarf_to_perf),
	.syscall_names = syscalls, .n_syscalls = ARRAY_SIZE(syscalls),
	.uprobe_regs = uprobe_regs, .n_uprobe_regs = ARRAY_SIZE(uprobe_regs),
};
