// SPDX-License-Identifier: GPL-2.0-or-later
// Instead of capstone-operands.c where libcapstone is not there.
#include "util/disasm/disasm-priv.h"

struct operand_reader *operand_reader_open(const struct disasm_isa *isa UNUSED) { return NULL; }
void operand_reader_close(struct operand_reader *r UNUSED) { }

bool operand_reader_read(struct operand_reader *r UNUSED, const struct insn *i UNUSED,
			 struct insn_operands *out UNUSED)
{
	return false;
}
