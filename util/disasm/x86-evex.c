// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/disasm/disasm-priv.h"

bool x86_evex(struct insn_text *t UNUSED, const u8 *bytes UNUSED, const struct x86_parts *x UNUSED,
	      bool intel UNUSED)
{
	return false;
}
