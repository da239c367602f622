// SPDX-License-Identifier: GPL-2.0-or-later
// 32-bit ARM. Register numbers: asm/perf_regs.h of arm; DWARF numbers: "DWARF for the Arm
// Architecture", table 1.
#include "arch/isa.h"

#include <elf.h>

static const char *const reg_names[16] = {
	"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7",
	"r8", "r9", "r10", "fp", "ip", "sp", "lr", "pc",
};

static const s8 dwarf_to_perf[16] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15,
};

static const char *const uprobe_regs[16] = {
	"%r0", "%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r7",
	"%r8", "%r9", "%r10", "%fp", "%ip", "%sp", "%lr", "%pc",
};

static const char *const syscalls[] = {
#include "arch/arm/syscalls.inc"
};

const struct arch_info arch_arm = {
	.name = "arm",
	.elf_machine = EM_ARM,
	.addr_bytes = 4,
	.insn_align = 2,
	.user_regs_mask = 0xffff,
	.perf_ip = 15, .perf_sp = 13, .perf_fp = 11,
	.calls.has_lr = true,
	.code_mask = 0xfffffffe,	/* bit 0: Thumb */
	.perf_lr = 14,
	.calls.frame = ARCH_FRAME_NONE,
	.dwarf_ra = 14, .dwarf_sp = 13, .dwarf_fp = 11,
	.kernel_start_va = 0xbf000000ULL,	/* modules lie below the kernel */
	.perf_reg_names = reg_names, .n_perf_regs = ARRAY_SIZE(reg_names),
	.dwarf_to_perf = dwarf_to_perf, .n_dwarf_regs = ARRAY_SIZE(dwarf_to_perf),
	.syscall_names = syscalls, .n_syscalls = ARRAY_SIZE(syscalls),
	.uprobe_regs = uprobe_regs, .n_uprobe_regs = ARRAY_SIZE(uprobe_regs),
};
