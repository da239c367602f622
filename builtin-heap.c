// SPDX-License-Identifier: GPL-2.0-or-later
// perf heap: which functions of user programs allocate memory, and what becomes of it.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "builtin-dump.h"
#include "builtin-heap.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/rows.h"
#include "util/session/warnings.h"
#include "util/view/flame-draw.h"

static const struct option_def input_options[] = {
	OPT_STRING('i', "input", struct heap_input, path, "file",
		   "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('D', "dump-raw-trace", struct heap_input, dump, "print all records of the file"),
	OPT_FLAG('f', "force", struct heap_input, force,
		 "read a recording that belongs to another user"),
	OPT_END
};

/* --- record */

static int heap_record(int argc, const char **argv, void *in)
{
	static const char *const usage[] = { "[<options>] [<options of perf record>] [<command>]",
					     NULL };
	const struct heap_input *input = in;
	struct heap_recording h = { .heap.period = RECORD_HEAP_PERIOD, .common = input->common };
	struct picture_record r = { .events = false };
	const struct option_table tables[] = { { heap_record_options, &h },
					       picture_options(&r, heap_record_options),
					       cli_common_group(&h.common), { 0 } };
	const struct cli_cmd cmd = { .name = "heap record", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	int n = cli_parse(&cmd, argc, argv);

	if (n >= 0 && !picture_is_recorded(&r, n))
		n = cli_usage_error(&cmd, "what is to be recorded? A command, -p PID or -a");
	else
		n = n < 0 ? cli_status(n) : heap_run_record(&h, &r, NULL, n, argv);
	picture_release(&r);
	return n;
}

/* --- report */

#define F struct heap_cmd
static const struct option_def report_options[] = {
	OPT_STRING_OPTARG(0, "flame", F, flame, "file", "flame.html",
			  "draw it instead, as a page with a picture for each measure (default:\n"
			  "flame.html)"),
	OPT_STRING(0, "time", F, in.stream.filter.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_END
};
#undef F

static int open_recording(struct session *s, const struct heap_input *in)
{
	return open_for_events(s, &(struct session_opts){ .path = in->path, .force = in->force,
							  .quiet = in->common.quiet },
			       in->dump, heap_need_events, &in->stream);
}

static void show(struct heap_model *m, struct heap_cmd *c)
{
	struct str out = STR_INIT;

	heap_add(c, m, &out);
	cli_page(&out);
	str_release(&out);
}

static int draw(struct heap_model *m, const struct heap_cmd *c, struct session *s)
{
	struct str title = STR_INIT, machine = STR_INIT, out = STR_INIT;
	struct flame_look look = { .min_width = -1,
				   .event = heap_measure_names[c->opts.measure] };
	struct flame_tree t;
	int ret;

	picture_add_command(&title, s->source->env);
	picture_add_machine(&machine, s);
	look.title = title.len ? str_cstr(&title) : NULL;
	look.subtitle = machine.len ? str_cstr(&machine) : NULL;
	heap_flame(m, &t);
	flame_html(&t, &look, &out);
	ret = t.period ? picture_write(c->flame, true, &out, s) :
		err_set(&s->err, ENOENT, "no allocation was sampled in '%s'", s->source->name);
	flame_tree_release(&t);
	str_release(&title);
	str_release(&machine);
	str_release(&out);
	return ret;
}

static int run(struct heap_cmd *c)
{
	struct session s = { 0 };
	struct heap_model *m = NULL;
	int ret = open_recording(&s, &c->in);

	if (!ret) {
		m = heap_new(s.source->events);
		ret = session_run(&s, (struct sink *[]){ heap_sink(m) }, 1);
	}
	if (!ret && c->flame)
		ret = draw(m, c, &s);
	else if (!ret)
		show(m, c);
	session_warn_analysis(&s, 0, ret);
	heap_free(m);
	return session_close(&s, ret);
}

static int heap_report(int argc, const char **argv, void *in)
{
	struct heap_cmd c = { .in = *(struct heap_input *)in, .opts.min_pct = CLI_CHAIN_MIN_PCT };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { heap_view_options, &c }, { report_options, &c },
					       { input_options, &c.in },
					       cli_symbols_group(&c.in.stream.symbols),
					       cli_output_group(&c.view.output), session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "heap report", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	const int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (c.flame && (table_output_data(&c.view.output) || c.opts.measure == HEAP_TIMES))
		return cli_usage_error_opt(&cmd, "flame", "--flame excludes -x, --json and --sort "
					   "allocs");
	return run(&c);
}

int cmd_heap(int argc, const char **argv)
{
	static const struct cli_sub subs[] = { { "record", heap_record },
					       { "report", heap_report },
					       { "live", heap_live }, { NULL, NULL } };
	static const char *const words[] = { "record", "report", "live", NULL };
	const char *const usage[] = { "[<options>] {record|report|live}", NULL };
	struct heap_input in = { .path = NULL };
	const struct option_table tables[] = { { input_options, &in },
					       cli_symbols_group(&in.stream.symbols),
					       session_group(), cli_common_group(&in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "heap", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &in);
}
