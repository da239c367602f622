// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched offcpu: for how long tasks were off the CPU, in which state, and from where they left.
#include <stdio.h>

#include "builtin.h"
#include "builtin-dump.h"
#include "builtin-flame.h"
#include "builtin-sched-offcpu.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/rows.h"
#include "util/session/warnings.h"

#define F struct offcpu_cmd
static const struct option_def report_options[] = {
	OPT_STRING_OPTARG(0, "flame", F, flame, "file", "flame.html",
			  "draw it instead, as perf flame --off-cpu does (default: flame.html)"),
	OPT_STRING(0, "time", F, time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_END
};
#undef F

static int open_recording(struct session *s, struct offcpu_cmd *c)
{
	const struct stream_opts stream = { .symbols = c->symbols, .filter.time = c->time };
	struct absences_opts *o = &c->opts.absences;
	int ret = open_for_events(s, &(struct session_opts){ .path = c->in.path,
							     .force = c->in.force,
							     .quiet = c->in.common.quiet },
				  c->in.dump, NULL, &stream);

	if (ret)
		return ret;
	o->events = s->source->events;
	o->swap = s->source->swap;
	o->no_chains = true;
	o->hint = "record it with: perf sched record -g -- COMMAND, or: perf record --off-cpu "
		  "-g -- COMMAND";
	c->opts.chains = absences_have_chains(o->events);
	if (!absences_are_known(o->events))
		return sched_need_switches(o->events, s->source->name, &s->err);
	return absences_check(o, s->source->name, &s->err);
}

static void show(struct off_stacks *o, struct offcpu_cmd *c)
{
	struct str out = STR_INIT;

	offcpu_add(c, o, &out);
	cli_page(&out);
	str_release(&out);
}

static int never_away(const struct off_stacks *o, const char *path)
{
	u64 left, back;

	absences_seen(off_stacks_absences(o), &left, &back);
	if (back)
		return 0;
	if (!left)
		return cli_errorf("no task that is asked for left a CPU in '%s'", path);
	return cli_errorf("'%s' says when tasks left the CPU (%llu times), but not when they came "
			  "back\nHint: record all CPUs (-a), or with --switch-events", path,
			  (unsigned long long)left);
}

static int run(struct offcpu_cmd *c)
{
	struct session s = { 0 };
	struct off_stacks *o = NULL;
	int ret = open_recording(&s, c);

	if (!ret && !(o = off_stacks_new(&c->opts, &s.err)))
		ret = -1;
	if (!ret)
		ret = session_run(&s, (struct sink *[]){ off_stacks_sink(o) }, 1);
	if (!ret && !(ret = never_away(o, s.source->name))) {
		show(o, c);
		if (!c->opts.chains && !c->in.common.quiet)
			fprintf(stderr, "The recording has no call chains: record it with -g to "
				"see from where tasks left the CPU\n");
	}
	session_warn_analysis(&s, 0, ret);
	off_stacks_free(o);
	return session_close(&s, ret);
}

/* The picture is that of perf flame. */
static int draw(const struct offcpu_cmd *c)
{
	const struct absences_opts *o = &c->opts.absences;
	struct flame_cmd f = FLAME_CMD_INIT;

	f.input = c->in.path ? c->in.path : "perf.data";
	f.output = c->flame;
	f.off_cpu = true;
	f.force = c->in.force;
	f.common.quiet = c->in.common.quiet;
	f.stream.symbols = c->symbols;
	f.stream.filter.comms = o->comms;
	f.stream.filter.time = c->time;
	f.record.chosen.pids = o->pids;
	f.record.chosen.tids = o->tids;
	return flame_write(&f, 0, NULL);
}

int sched_offcpu(int argc, const char **argv, void *in)
{
	struct offcpu_cmd c = { .in = *(struct sched_input *)in,
				.table.min_pct = CLI_CHAIN_MIN_PCT };
	const char *const usage[] = { "[<options>]", "live [<options>] [<command>]", NULL };
	static const char *const words[] = { "live", NULL };
	static const struct cli_sub subs[] = { { "live", offcpu_live }, { NULL, NULL } };
	const struct option_table tables[] = { { report_options, &c }, { offcpu_options, &c },
					       { sched_input_options, &c.in },
					       cli_symbols_group(&c.symbols),
					       cli_output_group(&c.view.output), session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched offcpu", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (n)
		return cli_run_sub(&cmd, subs, n, argv, in);
	if (c.flame && (c.opts.wakers || table_output_data(&c.view.output)))
		return cli_usage_error_opt(&cmd, "flame", "--flame excludes --wakers, -x and "
					   "--json");
	return c.flame ? draw(&c) : run(&c);
}
