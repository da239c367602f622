// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched replay: the recorded load, run again.
#include <stdio.h>
#include <stdlib.h>

#include "builtin-sched.h"
#include "util/analysis/sched-replay.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/warnings.h"
#include "util/view/sched-replay.h"

struct replay_cmd {
	struct sched_input in;
	int repeat;
	struct table_output output;
};

static const struct option_def replay_options[] = {
	OPT_UINT('r', "repeat", struct replay_cmd, repeat, "n",
		 "how often to run the load (default: 10; 0: until ^C)"),
	OPT_END
};

static int run_rounds(struct replay_show *show, const struct load_task *tasks, size_t n, int repeat,
		      struct err *err)
{
	struct load_times t;
	int ret = 0;

	for (int i = 1; !ret && (!repeat || i <= repeat); i++) {
		ret = load_run(tasks, n, &t, err);
		if (!ret)
			replay_show_round(show, &t);
	}
	replay_show_end(show);
	return ret;
}

static int run(struct replay *replay, const struct replay_cmd *c, struct err *err)
{
	struct replay_show show = { .fp = stdout, .output = c->output };
	const struct replay_task **of = NULL;
	struct load_overhead cost = { 0 };
	struct replay_tables t = { 0 };
	struct load_task *tasks = NULL;
	const size_t n = replay_script(replay, &tasks, &of);
	int ret;

	if (!table_output_data(&c->output))
		load_measure(&cost);
	replay_tables(replay, of, n, &t);
	replay_show_script(&show, &t, &cost);
	ret = run_rounds(&show, tasks, n, c->repeat, err);
	replay_show_release(&show);
	replay_tables_release(&t);
	free(of);
	free(tasks);
	return ret;
}

int sched_replay(int argc, const char **argv, void *in)
{
	struct replay_cmd c = { .in = *(struct sched_input *)in, .repeat = 10 };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { replay_options, &c },
						{ sched_input_options, &c.in },
					       cli_output_group(&c.output), session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched replay", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct replay *replay = NULL;
	struct sched_reading r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (sched_reading_open(&r, &c.in, NULL) == 0) {
		replay = replay_new(r.model);
		ret = sched_reading_run(&r);
	}
	if (!ret)
		ret = run(replay, &c, &r.s.err);
	replay_free(replay);
	return sched_reading_close(&r, ret);
}
