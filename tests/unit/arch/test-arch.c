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
	CHECK(arch_by_name("s390x") == NULL);
	CHECK(arch_by_name("") == NULL);
	CHECK(arch_by_name(NULL) == NULL);
	CHECK(arch_host() != NULL);
}

TEST(by_elf)
{
	CHECK_STR(arch_by_elf(EM_X86_64, true)->name, "x86_64");
	CHECK_STR(arch_by_elf(EM_386, false)->name, "i686");
	CHECK_STR(arch_by_elf(EM_AARCH64, true)->name, "aarch64");
	CHECK(arch_by_elf(EM_SPARC, false) == NULL);
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
}

/* Each DWARF register has one perf register, inside the table, and the special ones agree. */
static void check_regs(const char *isa)
{
	const struct arch_info *a = arch_by_name(isa);
	u64 seen = 0;

	for (unsigned i = 0; i < a->n_dwarf_regs; i++) {
		s8 p = a->dwarf_to_perf[i];

		CHECK(p >= 0 && p < a->n_perf_regs);
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
	CHECK_STR(arch_by_name("x86_64")->uprobe_regs[5], "%di");
	CHECK_STR(arch_by_name("i686")->uprobe_regs[0], "%ax");
	CHECK_STR(arch_by_name("aarch64")->uprobe_regs[31], "%sp");
}
