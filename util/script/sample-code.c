// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/script/sample-code.h"

static int take_insn(void *ctx, const struct insn *i)
{
	struct insn *out = ctx;

	*out = *i;
	return 1;
}

bool insn_at(struct disasm **x, const struct arch_info *arch, const struct location *l,
	     struct insn *out)
{
	const struct disasm_opts o = { .arch = arch };
	const struct disasm_range one = { l->rva, l->rva + 1 };
	struct err err = ERR_INIT;
	int ret;

	if (!l->dso)
		return false;
	if (!*x)
		*x = disasm_new(&o, &err);
	ret = *x ? disasm_range(*x, l->dso, &one, take_insn, out, &err) : 0;
	err_release(&err);
	return ret == 1;
}
