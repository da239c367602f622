// SPDX-License-Identifier: GPL-2.0-or-later
// What perf sched offcpu has in common for recordings and for what happens now.
#include "builtin-sched-offcpu.h"
#include "util/cli/options.h"
#include "util/cli/rows.h"

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	return cli_set_chain_min_pct(u, &((struct offcpu_cmd *)u->base)->table.min_pct, err);
}

#define F struct offcpu_cmd
const struct option_def offcpu_options[] = {
	OPT_STRING('s', "sort", F, opts.keys, "key[,key2...]",
		   "what rows are of: comm, pid, tid, state, stack, waker (default:\n"
		   "comm,state)"),
	OPT_FLAG(0, "wakers", F, opts.wakers,
		 "after each stack: who woke the task, and from where"),
	OPT_FLAG(0, "percentiles", F, table.percentiles,
		 "also the times that 50, 95 and 99% of the waits are not above"),
	OPT_FLAG(0, "inverted", F, table.inverted, "stacks begin with the innermost function"),
	OPT_FLAG('G', "hide-call-graph", F, table.no_trees, "do not show call chains"),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "hide branches of less than this percentage of all time (default: 0.5)"),
	OPT_STRING('p', "pid", F, opts.absences.pids, "pid[,pid...]", "only these processes"),
	OPT_STRING('t', "tid", F, opts.absences.tids, "tid[,tid...]", "only these threads"),
	OPT_STRING(0, "comm", F, opts.absences.comms, "comm[,comm...]",
		   "only tasks with these names"),
	OPT_END
};
#undef F

void offcpu_add(struct offcpu_cmd *c, struct off_stacks *o, struct str *out)
{
	struct off_stacks_tables t = { .total_ns = 0 };

	c->view.inverted = c->table.inverted;
	c->view.min_pct = c->table.min_pct;
	c->table.percentiles |= table_output_data(&c->view.output);
	c->table.no_trees |= !c->opts.chains;
	off_stacks_tables(o, &c->table, &t);
	off_cpu_show(out, &t, &c->view);
	off_stacks_tables_release(&t);
}
