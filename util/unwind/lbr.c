// SPDX-License-Identifier: GPL-2.0-or-later
// Stacks as the CPU keeps them: its last branches are the calls that have not returned
// (PERF_SAMPLE_BRANCH_CALL_STACK).
#include "util/unwind/unwind.h"

#include "include/abi/perf_event.h"

u64 unwind_kernel_words(const struct sample *s)
{
	for (u64 i = 0; i < s->chain_n; i++)
		if (s->chain[i] == (u64)PERF_CONTEXT_USER || s->chain[i] ==
		    ABI_CONTEXT_USER_DEFERRED)
			return i;
	return s->chain_n;
}

u64 unwind_lbr_leaf(const struct sample *s)
{
	const u64 i = unwind_kernel_words(s) + 1;

	if (s->cpumode == PERF_RECORD_MISC_USER && s->present & PERF_SAMPLE_IP)
		return s->ip;
	if (i < s->chain_n && s->chain[i - 1] == (u64)PERF_CONTEXT_USER && s->chain[i] &&
	    s->chain[i] < (u64)PERF_CONTEXT_MAX)
		return s->chain[i];
	return s->branch.entries[0].to;
}
