// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched latency: how long tasks waited for a CPU.
#include <stdio.h>

#include "builtin-sched.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/warnings.h"
#include "util/view/sched-text.h"

struct latency_cmd {
	struct sched_input in;
	struct latency_opts opts;
	struct latency_view view;
};

static const struct option_def latency_options[] = {
	OPT_STRING('s', "sort", struct latency_cmd, opts.sort, "key[,key2...]",
		   "sort rows by these keys: runtime, switch, avg, max"),
	OPT_FLAG('p', "pids", struct latency_cmd, opts.per_task,
		 "one row for each process, not for each name"),
	OPT_STRING('C', "CPU", struct latency_cmd, opts.cpus, "n",
	     "only delays that began on these CPUs (0-3,8)"),
	OPT_FLAG(0, "percentiles", struct latency_cmd, view.percentiles,
		 "also the delays that 50, 95 and 99% are not above"),
	OPT_FLAG(0, "histogram", struct latency_cmd, view.histogram,
		 "also how often delays of which size occurred"),
	OPT_END
};

static void show(struct sched_reading *r, struct latency *l, const struct latency_view *v)
{
	struct latency_tables t = { 0 };
	struct str out = STR_INIT;

	latency_tables(l, r->model, stream_get_stats(r->s.stream)->n_records, &t);
	latency_show(&out, &t, v);
	cli_page(&out);
	str_release(&out);
	latency_tables_release(&t);
}

int sched_latency(int argc, const char **argv, void *in)
{
	struct latency_cmd c = { .in = *(struct sched_input *)in };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { latency_options, &c },
						{ sched_input_options, &c.in },
					       cli_output_group(&c.view.output), session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched latency", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct latency *l = NULL;
	struct sched_reading r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (sched_reading_open(&r, &c.in, NULL) == 0)
		l = latency_new(r.model, &c.opts, &r.s.err);
	if (l)
		ret = sched_reading_run(&r);
	if (!ret) {
		show(&r, l, &c.view);
		session_sched_unseen(r.model, &(struct sched_selection){ .cpus = c.opts.cpus });
	}
	latency_free(l);
	return sched_reading_close(&r, ret);
}
