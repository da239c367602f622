// SPDX-License-Identifier: GPL-2.0-or-later
// perf report: blocks of code, and what functions do in a cycle.
#include "builtin-report.h"
#include "util/analysis/annotate/annotate.h"
#include "util/analysis/annotate/ipc.h"
#include "util/cli/error.h"
#include "util/disasm/disasm.h"

struct sink *report_blocks_sink(struct report_blocks *b, const struct report_opts *o,
				const struct hist_keys *keys)
{
	if (!o->rows.blocks && !hist_keys_find(keys, "ipc_lbr"))
		return NULL;
	b->counts = annotate_new(NULL);
	annotate_want_branches(b->counts, NULL);
	return annotate_sink(b->counts);
}

void report_blocks_give(struct report_blocks *b, const struct report_opts *o,
			const struct arch_info *arch, struct hist_keys *keys)
{
	const struct disasm_opts d = { .arch = arch, .objdump = o->code.objdump };
	struct err err = ERR_INIT;

	if (!b->counts || !hist_keys_find(keys, "ipc_lbr"))
		return;
	b->disasm = disasm_new(&d, &err);
	if (!b->disasm && !o->common.quiet)
		cli_warn("instructions a cycle are not known: %s", err.msg);
	b->ipcs = function_ipcs_new(annotate_blocks(b->counts), b->disasm);
	hist_keys_set_ipcs(keys, b->ipcs);
	err_release(&err);
}

void report_blocks_release(struct report_blocks *b)
{
	function_ipcs_free(b->ipcs);
	disasm_free(b->disasm);
	annotate_free(b->counts);
}
