// SPDX-License-Identifier: GPL-2.0-or-later
// arm64. Register numbers: asm/perf_regs.h of arm64; DWARF numbers: "DWARF for the Arm 64-bit
// Architecture", table 1.
#include "arch/isa.h"

#include <elf.h>

static const char *const reg_names[33] = {
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
		"x14", "x15", "x16",
	"x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29",
	"lr", "sp", "pc",
};

static const s8 dwarf_to_perf[32] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
		25, 26, 27, 28, 29, 30, 31,
};

static const char *const uprobe_regs[32] = {
	"%x0", "%x1", "%x2", "%x3", "%x4", "%x5", "%x6", "%x7", "%x8", "%x9", "%x10", "%x11",
		"%x12", "%x13", "%x14",
	"%x15", "%x16", "%x17", "%x18", "%x19", "%x20", "%x21", "%x22", "%x23", "%x24", "%x25",
	"%x26", "%x27", "%x28",
	"%x29", "%x30", "%sp",
};

static const char *const syscalls[] = {
#include "arch/aarch64/syscalls.inc"
};

const struct arch_info arch_aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
	.addr_bytes = 8,
	.insn_align = 4,
	.calls.has_lr = true, .perf_lr = 30, .calls.chain_lr = ARCH_CHAIN_LACKS_LR,
	.code_mask = 0x00ffffffffffffULL,	/* above: pointer authentication */
	.user_regs_mask = 0x1ffffffffULL,
	.perf_ip = 32, .perf_sp = 31, .perf_fp = 29,
	.perf_reg_names = reg_names, .n_perf_regs = ARRAY_SIZE(reg_names),
	.dwarf_to_perf = dwarf_to_perf, .n_dwarf_regs = ARRAY_SIZE(dwarf_to_perf),
	.dwarf_ra = 30, .dwarf_sp = 31, .dwarf_fp = 29,
	.syscall_names = syscalls, .n_syscalls = ARRAY_SIZE(syscalls),
	.uprobe_regs = uprobe_regs, .n_uprobe_regs = ARRAY_SIZE(uprobe_regs),
	.kernel_start_va = 0xfff0000000000000ULL,	/* 52-bit addresses too */
};
