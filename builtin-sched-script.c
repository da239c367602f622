// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched script: perf script of the recording, or its events as data.
#include <stdio.h>
#include <string.h>

#include "builtin-dump.h"
#include "builtin-sched.h"
#include "util/export/samples-json.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/warnings.h"
#include "util/view/sched-text.h"

struct script_cmd {
	struct sched_input in;
	struct symbols_opts symbols;
	bool json;
};

static const struct option_def script_options[] = {
	OPT_FLAG(0, "json", struct script_cmd, json,
		 "the events as a JSON array (with -i and the symbols options only)"),
	OPT_END
};

static int script_json(int argc, const char **argv, const struct sched_input *in)
{
	struct script_cmd c = { .in = *in };
	const char *const usage[] = { "--json [<options>]", NULL };
	const struct option_table tables[] = { { script_options, &c },
						{ sched_input_options, &c.in },
					       cli_symbols_group(&c.symbols),
					       session_group(), cli_common_group(&c.in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "sched script", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct samples_json *json = NULL;
	struct sched_reading r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (sched_reading_open(&r, &c.in, &c.symbols) == 0) {
		struct sink *sinks[1];

		cli_pager_start();
		json = samples_json_events_new(stdout, r.s.source->swap);
		sinks[0] = samples_json_sink(json);
		ret = session_run(&r.s, sinks, 1);
		samples_json_end(json);
	}
	samples_json_free(json);
	return sched_reading_close(&r, ret);
}

int sched_script(int argc, const char **argv, void *in)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json"))
			return script_json(argc, argv, in);
	}
	return script_recording(((const struct sched_input *)in)->path, argc, argv);
}
