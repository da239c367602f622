// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched: one model of the scheduler, fed by the stream; each sub-command observes it.
#include "builtin.h"
#include "builtin-sched.h"

static const struct cli_sub subs[] = {
	{ "record", sched_record }, { "latency", sched_latency }, { "map", sched_map },
	{ "script", sched_script }, { "timehist", sched_timehist }, { "replay", sched_replay },
	{ "offcpu", sched_offcpu }, { "stats", sched_stats }, { "why", sched_why },
	{ NULL, NULL },
};

int cmd_sched(int argc, const char **argv)
{
	struct sched_input in = { 0 };
	const char *const usage[] = { "[<options>] {record|latency|map|offcpu|replay|script|stats|"
				      "timehist|why}", NULL };
	static const char *const words[] = { "record", "latency", "map", "offcpu", "replay",
					     "script", "stats", "timehist", "why", NULL };
	const struct option_table tables[] =
		{ { sched_input_options, &in }, session_group(), cli_common_group(&in.common),
		  { 0 } };
	const struct cli_cmd cmd = { .name = "sched", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION,
				     .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &in);
}
