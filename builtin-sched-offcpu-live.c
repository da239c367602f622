// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched offcpu live: the table again and again, of what happens meanwhile.
#include <errno.h>

#include "builtin-sched-offcpu.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/rows.h"
#include "util/record/record.h"
#include "util/session/live-table.h"

struct offcpu_watch {
	struct offcpu_cmd cmd;
	struct record_stacks stacks;
	u64 delay_ns;
	struct off_stacks *model;
};

static int set_delay(const struct opt_use *u, struct err *err)
{
	return cli_set_delay(u, 2, &((struct offcpu_watch *)u->base)->delay_ns, err);
}

static int set_call_graph(const struct opt_use *u, struct err *err)
{
	struct record_stacks *s = &((struct offcpu_watch *)u->base)->stacks;
	int ret;

	if (u->unset) {
		s->callgraph = RECORD_CHAIN_NONE;
		return 0;
	}
	ret = record_parse_callgraph(s, u->arg, err);
	if (ret || s->callgraph == RECORD_CHAIN_FP || s->callgraph == RECORD_CHAIN_DWARF)
		return ret;
	return err_set(err, EINVAL, "--call-graph %s: live it is fp or dwarf", u->arg);
}

static const struct option_def live_options[] = {
	OPT_CALL_NO('d', "delay", "n", set_delay, "seconds between tables (default 2)"),
	OPT_CALL_NO(0, "call-graph", "mode", set_call_graph,
		    "how call chains are made: fp, or dwarf[,bytes of stack] (default: fp)"),
	OPT_END
};

static struct sink *begin(void *ctx, const struct event_list *events,
			  struct machine *machine UNUSED, struct err *err)
{
	struct offcpu_watch *w = ctx;
	struct absences_opts *o = &w->cmd.opts.absences;

	o->events = events;
	o->no_chains = true;
	if (absences_check(o, "the kernel", err))
		return NULL;
	w->model = off_stacks_new(&w->cmd.opts, err);
	return w->model ? off_stacks_sink(w->model) : NULL;
}

static void show(void *ctx, struct str *out)
{
	struct offcpu_watch *w = ctx;

	offcpu_add(&w->cmd, w->model, out);
	off_stacks_restart(w->model);
}

static int watch(struct offcpu_watch *w, const char **argv)
{
	static const char *const events[] = { "sched:sched_switch", "sched:sched_waking", NULL };
	static const char *const switches[] = { "sched:sched_switch", NULL };
	const struct stream_opts stream = { .symbols = w->cmd.symbols, .threads = 1 };
	const bool chains = w->stacks.callgraph != RECORD_CHAIN_NONE;
	int status;

	w->cmd.opts.chains = chains;
	w->cmd.table.goes_on = true;
	status = live_table_run(&(struct live_table_opts){
				.events = w->cmd.opts.wakers ? events : switches,
				.stacks = chains ? &w->stacks : NULL, .argv = argv,
				.lost_means = "some waits are missing, or seem longer than they "
					      "were",
				.stream = &stream, .delay_ns = w->delay_ns,
				.plain = table_output_data(&w->cmd.view.output),
				.begin = begin, .show = show, .ctx = w });
	off_stacks_free(w->model);
	return status;
}

int offcpu_live(int argc, const char **argv, void *in)
{
	static const char *const usage[] = { "[<options>] [<command>]", NULL };
	struct offcpu_watch w = { .cmd = { .in = *(struct sched_input *)in,
					   .table.min_pct = CLI_CHAIN_MIN_PCT },
				  .stacks = { .callgraph = RECORD_CHAIN_FP,
					      .dump_bytes = RECORD_DEFAULT_DUMP,
					      .raw_dumps = true },
				  .delay_ns = LIVE_TABLE_NS };
	const struct option_table tables[] = {
		{ live_options, &w }, { offcpu_options, &w.cmd },
		cli_symbols_group(&w.cmd.symbols), cli_output_group(&w.cmd.view.output),
		cli_common_group(&w.cmd.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched offcpu live", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : watch(&w, n ? argv : NULL);
}
