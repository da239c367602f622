// SPDX-License-Identifier: GPL-2.0-or-later
// 32-bit x86. Register numbers: asm/perf_regs.h; DWARF numbers: System V psABI i386, table 2.14.
#include "arch/isa.h"

#include <elf.h>

static const char *const reg_names[16] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS", "ES", "FS",
		"GS",
};

static const s8 dwarf_to_perf[9] = { 0, 2, 3, 1, 7, 6, 4, 5, 8 };

static const char *const uprobe_regs[8] = { "%ax", "%cx", "%dx", "%bx", "%sp", "%bp", "%si",
					    "%di" };

static const char *const syscalls[] = {
#include "arch/i386/syscalls.inc"
};

const struct arch_info arch_i386 = {
	.name = "i686",
	.elf_machine = EM_386,
	.addr_bytes = 4,
	.insn_align = 1,
	.is_x86 = true,
	.user_regs_mask = 0xfff,
	.perf_ip = 8, .perf_sp = 7, .perf_fp = 6,
	.perf_reg_names = reg_names, .n_perf_regs = ARRAY_SIZE(reg_names),
	.dwarf_to_perf = dwarf_to_perf, .n_dwarf_regs = ARRAY_SIZE(dwarf_to_perf),
	.dwarf_ra = 8, .dwarf_sp = 4, .dwarf_fp = 5,
	.syscall_names = syscalls, .n_syscalls = ARRAY_SIZE(syscalls),
	.uprobe_regs = uprobe_regs, .n_uprobe_regs = ARRAY_SIZE(uprobe_regs),
	.kernel_start_va = 0xc0000000ULL,
};
