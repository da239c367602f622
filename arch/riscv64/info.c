// SPDX-License-Identifier: GPL-2.0-or-later
// 64-bit RISC-V. Register numbers: asm/perf_regs.h of riscv; DWARF numbers: RISC-V ABIs, "DWARF
// Register Numbers".
#include "arch/isa.h"

#include <elf.h>

static const char *const reg_names[32] = {
	"pc", "ra", "sp", "gp", "tp", "t0", "t1", "t2",
	"s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5",
	"a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7",
	"s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

static const s8 dwarf_to_perf[32] = {
	-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
	24, 25, 26, 27, 28, 29, 30, 31,
};

static const char *const uprobe_regs[32] = {
	NULL, "%ra", "%sp", "%gp", "%tp", "%t0", "%t1", "%t2",
	"%s0", "%s1", "%a0", "%a1", "%a2", "%a3", "%a4", "%a5",
	"%a6", "%a7", "%s2", "%s3", "%s4", "%s5", "%s6", "%s7",
	"%s8", "%s9", "%s10", "%s11", "%t3", "%t4", "%t5", "%t6",
};

static const char *const syscalls[] = {
#include "arch/riscv64/syscalls.inc"
};

const struct arch_info arch_riscv64 = {
	.name = "riscv64",
	.elf_machine = EM_RISCV,
	.addr_bytes = 8,
	.insn_align = 2,
	.user_regs_mask = 0xffffffffULL,
	.perf_ip = 0, .perf_sp = 2, .perf_fp = 8,
	.calls.has_lr = true, .perf_lr = 1,
	.calls.frame = ARCH_FRAME_BELOW,
	.dwarf_ra = 1, .dwarf_sp = 2, .dwarf_fp = 8,
	.kernel_start_va = 0xff00000000000000ULL,
	.perf_reg_names = reg_names, .n_perf_regs = ARRAY_SIZE(reg_names),
	.dwarf_to_perf = dwarf_to_perf, .n_dwarf_regs = ARRAY_SIZE(dwarf_to_perf),
	.syscall_names = syscalls, .n_syscalls = ARRAY_SIZE(syscalls),
	.uprobe_regs = uprobe_regs, .n_uprobe_regs = ARRAY_SIZE(uprobe_regs),
};
