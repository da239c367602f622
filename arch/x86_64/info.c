// SPDX-License-Identifier: GPL-2.0-or-later
// x86-64. Register numbers: asm/perf_regs.h; DWARF numbers: System V psABI AMD64, figure 3.36.
#include "arch/isa.h"

#include <elf.h>

/* enum perf_event_x86_regs */
static const char *const reg_names[24] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS", "ES", "FS",
		"GS",
	"R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
};

static const s8 dwarf_to_perf[17] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 };

static const char *const uprobe_regs[16] = {
	"%ax", "%dx", "%cx", "%bx", "%si", "%di", "%bp", "%sp",
	"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
};

static const char *const syscalls[] = {
#include "arch/x86_64/syscalls.inc"
};

const struct arch_info arch_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.addr_bytes = 8,
	.insn_align = 1,
	.is_x86 = true,
	/* all but the segment registers, which a 64-bit task's dump refuses */
	.user_regs_mask = 0xff0fff,
	.perf_ip = 8, .perf_sp = 7, .perf_fp = 6,
	.perf_reg_names = reg_names, .n_perf_regs = ARRAY_SIZE(reg_names),
	.dwarf_to_perf = dwarf_to_perf, .n_dwarf_regs = ARRAY_SIZE(dwarf_to_perf),
	.dwarf_ra = 16, .dwarf_sp = 7, .dwarf_fp = 6,
	.syscall_names = syscalls, .n_syscalls = ARRAY_SIZE(syscalls),
	.uprobe_regs = uprobe_regs, .n_uprobe_regs = ARRAY_SIZE(uprobe_regs),
	.kernel_start_va = 0xffff800000000000ULL,
};
