// SPDX-License-Identifier: GPL-2.0-or-later
// perf stat report: what perf stat record has written, as if it were counted now.
#include <stdlib.h>

#include "builtin-stat.h"
#include "util/cli/groups.h"
#include "util/count/file.h"
#include "util/session/session.h"

struct report_cmd {
	struct stat_cmd stat;
	const char *input;
	bool force;
};

static const struct option_def report_options[] = {
	OPT_STRING('i', "input", struct report_cmd, input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('f', "force", struct report_cmd, force,
		 "read a recording that belongs to another user"),
	OPT_FLAG('A', "no-aggr", struct report_cmd, stat.no_aggr,
		 "print a row for each CPU"),
	OPT_CALL_NO('x', "field-separator", "separator", stat_set_sep,
		    "print CSV, with this separator (\\t: a tab)"),
	OPT_FLAG('j', "json-output", struct report_cmd, stat.output.data.json,
		 "print JSON, one object a line"),
	OPT_SET(0, "per-core", struct report_cmd, stat.aggr, STAT_CORE,
		"print a row for each core"),
	OPT_SET(0, "per-cluster", struct report_cmd, stat.aggr, STAT_CLUSTER,
		"print a row for each cluster of cores"),
	OPT_CALL_OPTARG_NO(0, "per-cache", "level", "", stat_set_per_cache,
			   "print a row for each cache (of this level, L2; default: the last)"),
	OPT_SET(0, "per-die", struct report_cmd, stat.aggr, STAT_DIE,
		"print a row for each die"),
	OPT_SET(0, "per-socket", struct report_cmd, stat.aggr, STAT_SOCKET,
		"print a row for each socket"),
	OPT_SET(0, "per-node", struct report_cmd, stat.aggr, STAT_NODE,
		"print a row for each NUMA node"),
	OPT_SET(0, "per-thread", struct report_cmd, stat.aggr, STAT_THREAD,
		"print a row for each thread"),
	OPT_FLAG(0, "metric-only", struct report_cmd, stat.output.metric_only,
		 "print the metrics alone, in columns"),
	OPT_SETTING_FIELD("stat.big-num", OPT_KIND_FLAG, struct report_cmd,
			  stat.output.big_num, NULL),
	OPT_END
};

struct replay_sink {
	struct sink sink;
	struct count_replay *replay;
	struct session *s;
	int ret;
};

static void replay_record(struct sink *sink, const struct perf_event_header *rec,
			  const struct sample_id *id UNUSED, u64 off)
{
	struct replay_sink *r = sink->ctx;

	if (!r->ret)
		r->ret = count_replay_record(r->replay, rec, off, &r->s->err);
	sink->stop = r->ret != 0;
}

static int replay(struct report_cmd *p, struct session *s, struct count_result *res)
{
	struct stat_cmd *c = &p->stat;
	struct replay_sink k = { .sink = { .wants = SINK_SIDEBAND, .record = replay_record,
					   .ctx = &k },
				 .s = s };
	int aggr = c->no_aggr ? STAT_CPU : c->aggr ? c->aggr : -1, ret;

	k.replay = count_replay_new(s->source->reader, aggr, &c->count,
				    &(struct count_metrics_of){ &c->events.metric_set,
								&c->events.formulas }, res);
	ret = session_run(s, (struct sink *[]){ &k.sink }, 1);
	ret = ret ? ret : k.ret;
	if (!ret)
		ret = count_replay_end(k.replay, &c->output.title, &s->err);
	count_replay_free(k.replay);
	return ret;
}

static int run_report(struct report_cmd *p)
{
	struct stat_cmd *c = &p->stat;
	struct stat_output *o = &c->output;
	struct count_result r = { 0 };
	struct session s = { 0 };
	int ret = session_open(&s, &(struct session_opts){ .path = p->input, .force = p->force,
							   .quiet = c->common.quiet });

	o->f = stderr;
	o->view = (struct stat_view){ .output = o->data, .group_digits = o->big_num,
				      .metric_only = o->metric_only,
				      .formulas = &c->events.formulas };
	o->head_due = !o->metric_only;
	o->metric_head_due = o->metric_only;
	c->count = (struct count_opts){ .on_interval = stat_on_interval, .ctx = c,
					.cache_level = c->count.cache_level };
	c->target.system_wide = true;	/* no CPU times of the command are in the file */
	if (!ret)
		ret = replay(p, &s, &r);
	if (!ret) {
		o->view.aggr = c->count.stat.aggr;
		stat_print_result(c, &r);
	}
	str_release(&c->output.title);
	stat_metrics_release(&c->events);
	count_result_release(&r);
	return session_close(&s, ret);
}

int cmd_stat_report(int argc, const char **argv)
{
	struct report_cmd p = { .stat = { .output.big_num = true } };
	static const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { report_options, &p }, session_group(),
					       cli_common_group(&p.stat.common), { 0 } };
	const struct cli_cmd cmd = { .name = "stat report", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	return run_report(&p);
}
