// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "tests/unit/unit.h"

static const char *call(const char *isa, unsigned nr)
{
	const struct arch_info *a = arch_by_name(isa);

	CHECK(a != NULL);
	CHECK(nr < a->n_syscalls);
	CHECK(a->syscall_names[nr] != NULL);
	return a->syscall_names[nr];
}

TEST(by_name)
{
	CHECK_STR(arch_by_name("x86_64")->name, "x86_64");
	CHECK_STR(arch_by_name("amd64")->name, "x86_64");
	CHECK_STR(arch_by_name("i586")->name, "i686");
	CHECK_STR(arch_by_name("arm64")->name, "aarch64");
	CHECK_STR(arch_by_name("armv7l")->name, "arm");
	CHECK_STR(arch_by_name("s390x")->name, "s390x");
	CHECK_STR(arch_by_name("ppc64le")->name, "ppc64le");
	CHECK(arch_by_name("sparc64") == NULL);
	CHECK(arch_is_unknown(arch_recorded("sparc64")));
	CHECK(!arch_recorded("sparc64")->is_x86);
	CHECK(arch_by_name("") == NULL);
	CHECK(arch_by_name(NULL) == NULL);
	CHECK(arch_host() != NULL);
}

TEST(by_elf)
{
	CHECK_STR(arch_by_elf(EM_X86_64, true, false)->name, "x86_64");
	CHECK_STR(arch_by_elf(EM_386, false, false)->name, "i686");
	CHECK_STR(arch_by_elf(EM_AARCH64, true, false)->name, "aarch64");
	CHECK_STR(arch_by_elf(EM_S390, true, true)->name, "s390x");
	CHECK_STR(arch_by_elf(EM_PPC64, true, true)->name, "ppc64");
	CHECK_STR(arch_by_elf(EM_PPC64, true, false)->name, "ppc64le");
	CHECK_STR(arch_by_elf(EM_RISCV, true, false)->name, "riscv64");
	CHECK(arch_by_elf(EM_RISCV, false, false) == NULL);
	CHECK(arch_by_elf(EM_SPARC, false, true) == NULL);
}

TEST(syscalls)
{
	CHECK_STR(call("x86_64", 0), "read");
	CHECK_STR(call("x86_64", 59), "execve");
	CHECK_STR(call("x86_64", 257), "openat");
	CHECK_STR(call("x86_64", 435), "clone3");
	CHECK_STR(call("x86_64", 462), "mseal");
	CHECK_STR(call("i686", 3), "read");
	CHECK_STR(call("i686", 11), "execve");
	CHECK_STR(call("i686", 295), "openat");
	CHECK_STR(call("aarch64", 56), "openat");
	CHECK_STR(call("aarch64", 63), "read");
	CHECK_STR(call("aarch64", 79), "newfstatat");
	CHECK_STR(call("aarch64", 221), "execve");
	CHECK_STR(call("aarch64", 222), "mmap");
	/* as strace's and the C libraries' sources have them */
	CHECK_STR(call("s390x", 90), "mmap");
	CHECK_STR(call("s390x", 288), "openat");
	CHECK_STR(call("ppc64le", 286), "openat");
	CHECK_STR(call("ppc64le", 291), "newfstatat");
	CHECK_STR(call("riscv64", 56), "openat");
	CHECK_STR(call("riscv64", 259), "riscv_flush_icache");
	CHECK_STR(call("arm", 322), "openat");
	CHECK_STR(call("arm", 397), "statx");
	CHECK_STR(call("loongarch64", 221), "execve");
}

/* Each DWARF register has one perf register, inside the table, and the special ones agree. */
static void check_regs(const char *isa)
{
	const struct arch_info *a = arch_by_name(isa);
	u64 seen = 0;

	for (unsigned i = 0; i < a->n_dwarf_regs; i++) {
		s8 p = a->dwarf_to_perf[i];

		if (p < 0)	/* always 0, or not recorded */
			continue;
		CHECK(p < a->n_perf_regs);
		CHECK(a->perf_reg_names[p] != NULL);
		CHECK(!(seen >> p & 1));
		seen |= 1ULL << p;
		CHECK(a->user_regs_mask >> p & 1);
	}
	CHECK_EQ(a->dwarf_to_perf[a->dwarf_sp], a->perf_sp);
	CHECK_EQ(a->dwarf_to_perf[a->dwarf_fp], a->perf_fp);
	CHECK(a->user_regs_mask >> a->perf_ip & 1);
	CHECK(!(a->user_regs_mask >> a->n_perf_regs));
}

TEST(registers)
{
	check_regs("x86_64");
	check_regs("i686");
	check_regs("aarch64");
	check_regs("arm");
	check_regs("s390x");
	check_regs("ppc64le");
	check_regs("riscv64");
	check_regs("loongarch64");
	CHECK_STR(arch_by_name("x86_64")->uprobe_regs[5], "%di");
	CHECK_STR(arch_by_name("i686")->uprobe_regs[0], "%ax");
	CHECK_STR(arch_by_name("aarch64")->uprobe_regs[31], "%sp");
}
