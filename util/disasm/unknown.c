// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "util/disasm/disasm-priv.h"

void disasm_unknown(struct insn *i, const struct code_bytes *in, u8 length, struct insn_text *t)
{
	size_t at = 0;

	i->length = (u8)MIN((size_t)MAX(length, 1), MIN(in->n, sizeof(i->bytes)));
	i->unknown = true;
	if (i->length == 1) {
		snprintf(t->mnemonic, sizeof(t->mnemonic), "(bad)");
		t->operands[0] = 0;
		return;
	}
	snprintf(t->mnemonic, sizeof(t->mnemonic), ".byte");
	for (u8 b = 0; b < i->length; b++)
		at += (size_t)snprintf(t->operands + at, sizeof(t->operands) - at, "%s0x%02x",
				       b ? "," : "", in->p[b]);
}
