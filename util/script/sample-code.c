// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/script/sample-code.h"

#include <linux/perf_event.h>

bool addr_is_of_symbol(const struct perf_event_attr *a)
{
	if (!(a->sample_type & PERF_SAMPLE_ADDR))
		return false;
	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config == PERF_COUNT_SW_PAGE_FAULTS ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return a->type == PERF_TYPE_HARDWARE && a->sample_period == 1 &&
	       a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
}

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
