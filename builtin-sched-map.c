// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched map: who ran where, a line for each switch.
#include <stdio.h>
#include <unistd.h>

#include "builtin-sched.h"
#include "util/cli/common.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/warnings.h"
#include "util/view/sched-text.h"

struct map_cmd {
	struct sched_input in;
	struct map_opts opts;
};

static const struct option_def map_options[] = {
	OPT_FLAG(0, "compact", struct map_cmd, opts.compact,
	     "leave out CPUs on which nothing happened"),
	OPT_STRING(0, "cpus", struct map_cmd, opts.cpus, "cpus", "show only these CPUs"),
	OPT_STRING(0, "color-cpus", struct map_cmd, opts.color_cpus, "cpus",
		   "highlight these CPUs"),
	OPT_STRING(0, "color-pids", struct map_cmd, opts.color_pids, "pids",
		   "highlight these processes"),
	OPT_STRING(0, "task-name", struct map_cmd, opts.task_names, "task",
		   "show only tasks with these names"),
	OPT_FLAG(0, "fuzzy-name", struct map_cmd, opts.fuzzy,
		 "--task-name takes parts of names"),
	OPT_END
};

int sched_map(int argc, const char **argv, void *in)
{
	struct map_cmd c = { .in = *(struct sched_input *)in };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { map_options, &c }, { sched_input_options, &c.in },
					       cli_output_group(&c.opts.output), session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched map", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct sched_reading r = { 0 };
	struct sched_map *m = NULL;
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	c.opts.color = cli_color_on(CLI_COLOR_AUTO, STDOUT_FILENO);
	c.opts.width = cli_columns(STDOUT_FILENO);
	if (sched_reading_open(&r, &c.in, NULL) == 0) {
		/* else session_sched_unseen() wants to know all that there were */
		if (!c.opts.cpus && !c.opts.task_names)
			sched_sink_leave_wakes(r.sink);
		cli_pager_start();
		m = sched_map_new(r.model, stdout, &c.opts, &r.s.err);
	}
	if (m)
		ret = sched_reading_run(&r);
	if (!ret) {
		sched_map_end(m, stream_get_stats(r.s.stream)->n_records);
		session_sched_unseen(r.model, &(struct sched_selection){ .cpus = c.opts.cpus,
									 .names = c.opts.task_names,
								     .fuzzy = c.opts.fuzzy });
	}
	sched_map_free(m);
	return sched_reading_close(&r, ret);
}
