// SPDX-License-Identifier: GPL-2.0-or-later
// perf lock: who waits for locks of the kernel and of programs, and for how long.
#include "builtin.h"
#include "builtin-dump.h"
#include "builtin-lock.h"
#include "builtin-record.h"
#include "util/cli/groups.h"

static int lock_record(int argc, const char **argv, void *in UNUSED)
{
	static const char *const words[] = { "lock", "record", NULL };
	static const char *const events[] = { "lock:contention_begin/max-stack=8/",
					      "lock:contention_end", NULL };

	return record_with(&(struct record_preset){ .words = words, .events = events, .raw = true,
						    .period = 1, .callchain = true }, argc, argv);
}

static int lock_script(int argc, const char **argv, void *in)
{
	return script_recording(((const struct lock_input *)in)->path, argc, argv);
}

int cmd_lock(int argc, const char **argv)
{
	static const struct cli_sub subs[] = {
		{ "record", lock_record }, { "report", lock_report }, { "script", lock_script },
		{ "info", lock_info }, { "contention", lock_contention },
		{ "futex", lock_futex }, { NULL, NULL },
	};
	static const char *const words[] = { "record", "report", "script", "info", "contention",
					     "futex", NULL };
	const char *const usage[] = { "[<options>] {record|report|script|info|contention|futex}",
				      NULL };
	struct lock_input in = { 0 };
	const struct option_table tables[] =
		{ { lock_input_options, &in }, cli_symbols_group(&in.symbols), session_group(),
		  cli_common_group(&in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "lock", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &in);
}
