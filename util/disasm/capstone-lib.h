/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to disasm: libcapstone's functions, loaded at the first use. Its tables of instructions
 * have 77,000 relocations, which every command would pay for at its start if it were linked.
 */
#pragma once

#include <capstone/capstone.h>

struct capstone {
	__typeof__(cs_open) *open;
	__typeof__(cs_close) *close;
	__typeof__(cs_option) *option;
	__typeof__(cs_malloc) *malloc;
	__typeof__(cs_free) *free;
	__typeof__(cs_disasm_iter) *disasm_iter;
	__typeof__(cs_regs_access) *regs_access;
};

/* NULL: it cannot be loaded, capstone_check() says why. Any thread. */
const struct capstone *capstone_lib(void);
