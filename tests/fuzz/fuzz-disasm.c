// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes as instructions of x86 (both sizes, both styles) and arm64: each byte belongs to one. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "util/disasm/disasm.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

struct seen { u64 next_rva; struct str text; };

static int put(void *ctx, const struct insn *i)
{
	struct seen *s = ctx;

	if (i->rva != s->next_rva || !i->length || i->length > INSN_MAX_BYTES || !i->mnemonic[0])
		abort();
	s->next_rva = i->rva + i->length;
	str_reset(&s->text);
	insn_add_text(&s->text, i);
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	static const struct disasm_isa isas[] = {
		{ EM_X86_64, true, false, 1 }, { EM_386, false, false, 1 },
		{ EM_AARCH64, true, false, 4 },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(isas); i++) {
		const struct disasm_opts o = { .arch = arch_host(),
					       .style = i % 2 ? "intel" : NULL };
		struct code_bytes in = { data, n, 0x1000 };
		struct err err = ERR_INIT;
		struct disasm *x = disasm_new(&o, &err);
		struct seen s = { .next_rva = in.rva };

		if (x && disasm_bytes(x, &isas[i / 2], &in, put, &s, &err) == 0 &&
		    s.next_rva != in.rva + n)
			abort();
		disasm_free(x);
		str_release(&s.text);
		err_release(&err);
	}
	return 0;
}
