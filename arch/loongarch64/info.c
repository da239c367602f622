// SPDX-License-Identifier: GPL-2.0-or-later
// 64-bit LoongArch. Register numbers: asm/perf_regs.h of loongarch; DWARF numbers: LoongArch ELF
// psABI, "DWARF Register Numbers".
#include "arch/isa.h"

#include <elf.h>

static const char *const reg_names[32] = {
	"PC", "%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r7",
	"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
	"%r16", "%r17", "%r18", "%r19", "%r20", "%r21", "%r22", "%r23",
	"%r24", "%r25", "%r26", "%r27", "%r28", "%r29", "%r30", "%r31",
};

static const s8 dwarf_to_perf[32] = {
	-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
	24, 25, 26, 27, 28, 29, 30, 31,
};

static const char *const uprobe_regs[32] = {
	NULL, "%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r7",
	"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
	"%r16", "%r17", "%r18", "%r19", "%r20", "%r21", "%r22", "%r23",
	"%r24", "%r25", "%r26", "%r27", "%r28", "%r29", "%r30", "%r31",
};

static const char *const syscalls[] = {
#include "arch/loongarch64/syscalls.inc"
};

const struct arch_info arch_loongarch64 = {
	.name = "loongarch64",
	.elf_machine = EM_LOONGARCH,
	.addr_bytes = 8,
	.insn_align = 4,
	.user_regs_mask = 0xffffffffULL,
	.perf_ip = 0, .perf_sp = 3, .perf_fp = 22,
	.calls.has_lr = true, .perf_lr = 1,
	.calls.frame = ARCH_FRAME_BELOW,
	.dwarf_ra = 1, .dwarf_sp = 3, .dwarf_fp = 22,
	.kernel_start_va = 0x8000000000000000ULL,
	.perf_reg_names = reg_names, .n_perf_regs = ARRAY_SIZE(reg_names),
	.dwarf_to_perf = dwarf_to_perf, .n_dwarf_regs = ARRAY_SIZE(dwarf_to_perf),
	.syscall_names = syscalls, .n_syscalls = ARRAY_SIZE(syscalls),
	.uprobe_regs = uprobe_regs, .n_uprobe_regs = ARRAY_SIZE(uprobe_regs),
};
