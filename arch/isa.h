/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ARCH_ISA_H
#define ARCH_ISA_H
/*
 * The instruction sets that the table in arch.c lists.
 */
#include "arch/arch.h"

extern const struct arch_info arch_x86_64, arch_i386, arch_aarch64, arch_arm, arch_s390x,
	arch_ppc64le, arch_ppc64, arch_riscv64, arch_loongarch64;

#endif
