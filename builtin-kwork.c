// SPDX-License-Identifier: GPL-2.0-or-later
// perf kwork: interrupts, soft interrupts and work queues of the kernel.
#include "builtin.h"
#include "builtin-kwork.h"
#include "builtin-record.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"

/* All CPUs. */
static int kwork_record(int argc, const char **argv, void *in)
{
	static const char *const words[] = { "kwork", "record", NULL };
	const char *names[KWORK_EVENTS + 1] = { NULL };
	const struct kwork_input *c = in;
	unsigned classes = 0;

	if (kwork_parse_classes(c->classes, &classes))
		return CLI_FAILED;
	kwork_events(classes, names);
	return record_with(&(struct record_preset){ .words = words, .events = names,
						    .system_wide = true, .raw = true,
						    .period = 1 }, argc, argv);
}

int cmd_kwork(int argc, const char **argv)
{
	static const struct cli_sub subs[] = {
		{ "record", kwork_record }, { "report", kwork_report },
		{ "latency", kwork_latency }, { "timehist", kwork_timehist },
		{ "top", kwork_top }, { "live", kwork_live }, { NULL, NULL },
	};
	static const char *const words[] = { "record", "report", "latency", "timehist", "top",
					     "live", NULL };
	const char *const usage[] = { "[<options>] "
				      "{record|report|latency|timehist|top|live}", NULL };
	struct kwork_input in = { .path = NULL };
	const struct option_table tables[] = {
		{ kwork_class_options, &in }, { kwork_input_options, &in },
		cli_symbols_group(&in.stream.symbols), session_group(),
		cli_common_group(&in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kwork", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &in);
}
