// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/disasm/disasm-priv.h"

void x86_intel(struct insn_text *t UNUSED, const u8 *bytes UNUSED, const struct x86_parts *x UNUSED,
	       bool is64 UNUSED)
{
}
