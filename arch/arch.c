// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch/arch.h"

#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

#include "arch/isa.h"
#include "util/base/str.h"

static const struct arch_info *const isas[] = {
	&arch_x86_64, &arch_i386, &arch_aarch64, &arch_arm, &arch_s390x, &arch_ppc64le, &arch_ppc64,
	&arch_riscv64, &arch_loongarch64,
};

/* Other spellings of uname -m, and of the ARCH feature of recordings. */
static const struct { const char *alias; const struct arch_info *isa; } aliases[] = {
	{ "amd64", &arch_x86_64 }, { "i386", &arch_i386 }, { "i486", &arch_i386 },
		{ "i586", &arch_i386 },
	{ "x86", &arch_i386 }, { "arm64", &arch_aarch64 }, { "aarch64_be", &arch_aarch64 },
	{ "s390", &arch_s390x }, { "powerpc64le", &arch_ppc64le }, { "ppc64el", &arch_ppc64le },
	{ "powerpc64", &arch_ppc64 },
};

const struct arch_info *arch_by_name(const char *uname_machine)
{
	if (!uname_machine)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(isas); i++)
		if (!strcmp(isas[i]->name, uname_machine))
			return isas[i];
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].alias, uname_machine))
			return aliases[i].isa;
	/* armv7l, armv8l, armv5tejl; a 32-bit kernel's, whatever the CPU */
	return str_has_prefix(uname_machine, "armv") ? &arch_arm : NULL;
}

static const struct arch_info unknown_isa = {
	.name = "unknown", .addr_bytes = 8, .insn_align = 2,
	.kernel_start_va = 0xc000000000000000ULL,
};

bool arch_is_unknown(const struct arch_info *a)
{
	return a == &unknown_isa;
}

const struct arch_info *arch_recorded(const char *uname_machine)
{
	const struct arch_info *isa;

	if (!uname_machine || !*uname_machine)
		return arch_host();
	isa = arch_by_name(uname_machine);
	return isa ? isa : &unknown_isa;
}

const struct arch_info *arch_by_elf(u16 machine, bool is64, bool big_endian)
{
	if (machine == EM_PPC64 && big_endian)
		return &arch_ppc64;
	for (size_t i = 0; i < ARRAY_SIZE(isas); i++)
		if (isas[i]->elf_machine == machine &&
		    (is64 || isas[i]->addr_bytes == 4 || machine == EM_X86_64))
			return isas[i];
	return NULL;
}

const struct arch_info *arch_host(void)
{
	struct utsname u;

	if (uname(&u) == 0) {
		const struct arch_info *a = arch_by_name(u.machine);

		if (a)
			return a;
	}
	return isas[0];
}
