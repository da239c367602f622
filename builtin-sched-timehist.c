// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched timehist: each run of each task.
#include <stdio.h>

#include "builtin-sched.h"
#include "util/analysis/sched-chain.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/warnings.h"
#include "util/view/sched-text.h"

struct timehist_cmd {
	struct sched_input in;
	struct timehist_opts opts;
	struct timehist_view view;
	struct symbols_opts symbols;
	bool call_graph, no_call_graph;
};

static const struct option_def timehist_options[] = {
	OPT_STRING('C', "cpu", struct timehist_cmd, opts.cpus, "cpu",
	     "only events of these CPUs (0-3,8)"),
	OPT_FLAG('g', "call-graph", struct timehist_cmd, call_graph,
		 "show call chains (default)"),
	OPT_FLAG('G', "hide-call-graph", struct timehist_cmd, no_call_graph,
		 "do not show call chains"),
	OPT_FLAG('I', "idle-hist", struct timehist_cmd, opts.idle_hist, "show only idle CPUs"),
	OPT_FLAG('M', "migrations", struct timehist_cmd, opts.migrations, "show migrations"),
	OPT_FLAG('n', "next", struct timehist_cmd, view.next, "show which task follows"),
	OPT_STRING('p', "pid", struct timehist_cmd, opts.pids, "pid[,pid...]",
		   "only these processes"),
	OPT_FLAG('P', "pre-migrations", struct timehist_cmd, view.pre_migrations,
		 "show the wait before migrations"),
	OPT_FLAG('s', "summary", struct timehist_cmd, opts.only_summary,
		 "show only the summary"),
	OPT_FLAG('S', "with-summary", struct timehist_cmd, opts.summary,
		 "show each run of a task, and the summary"),
	OPT_STRING('t', "tid", struct timehist_cmd, opts.tids, "tid[,tid...]",
		   "only these threads"),
	OPT_FLAG('V', "cpu-visual", struct timehist_cmd, view.cpu_visual,
	     "show on which CPU each run was, in a column for each CPU"),
	OPT_FLAG('w', "wakeups", struct timehist_cmd, opts.wakeups, "show wake-ups"),
	OPT_UINT(0, "max-stack", struct timehist_cmd, opts.max_stack, "n",
		 "show at most n functions of a call chain (default: 5)"),
	OPT_STRING(0, "prio", struct timehist_cmd, opts.prios, "prio",
		   "only tasks of these priorities"),
	OPT_FLAG(0, "show-prio", struct timehist_cmd, view.prio, "show the priority of tasks"),
	OPT_FLAG(0, "state", struct timehist_cmd, view.state,
	     "show the state of tasks when they leave the CPU"),
	OPT_STRING(0, "time", struct timehist_cmd, opts.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_END
};

static void show_end(struct timehist_text *text, struct timehist *t, const struct timehist_opts *o)
{
	struct timehist_tables sums = { 0 };
	const bool some = o->summary || o->only_summary;

	if (some)
		timehist_tables(t, &sums);
	cli_pager_start();
	timehist_text_end(text, some ? &sums : NULL);
	timehist_tables_release(&sums);
}

static int run(struct sched_reading *r, struct timehist_cmd *c)
{
	struct timehist_shown shown;
	struct timehist_text *text;
	struct timehist *t;
	int ret = -1;

	c->opts.max_cpu = (int)r->s.source->env->nrcpus_online;
	c->opts.chains = c->call_graph && sched_have_chains(r->s.source->events);
	if (c->opts.chains)
		r->sink->wants |= SINK_CHAIN | SINK_SYMBOLS;
	if (!c->opts.only_summary)
		cli_pager_start();
	text = timehist_text_new(stdout, &c->opts, &c->view, &shown);
	t = timehist_new(r->model, &c->opts, &shown, &r->s.err);
	if (t && c->call_graph && !c->opts.chains && !c->in.common.quiet)
		fprintf(stderr, "Samples of sched_switch event do not have callchains.\n");
	if (t)
		ret = sched_reading_run(r);
	if (!ret) {
		show_end(text, t, &c->opts);
		session_sched_unseen(r->model, &(struct sched_selection){ .cpus = c->opts.cpus,
									  .pids = c->opts.pids,
									  .tids = c->opts.tids });
	}
	timehist_free(t);
	timehist_text_free(text);
	return ret;
}

int sched_timehist(int argc, const char **argv, void *in)
{
	struct timehist_cmd c = { .in = *(struct sched_input *)in, .call_graph = true,
				  .opts.max_stack = 5 };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { timehist_options, &c },
						{ sched_input_options, &c.in },
					       cli_output_group(&c.view.output),
					       cli_symbols_group(&c.symbols),
					       session_group(), cli_common_group(&c.in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "sched timehist", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct sched_reading r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	if (c.opts.only_summary && (c.view.next || c.opts.wakeups))
		return cli_usage_error(&cmd, "-s and -[n|w] are mutually exclusive");
	c.call_graph &= !c.no_call_graph;
	ret = sched_reading_open(&r, &c.in, &c.symbols);
	return sched_reading_close(&r, ret ? ret : run(&r, &c));
}
