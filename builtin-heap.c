// SPDX-License-Identifier: GPL-2.0-or-later
// perf heap: which functions of user programs allocate memory, and what becomes of it.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "builtin-dump.h"
#include "builtin-picture.h"
#include "builtin-record.h"
#include "util/base/words.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/rows.h"
#include "util/session/warnings.h"
#include "util/view/flame-draw.h"
#include "util/view/heap-text.h"

struct heap_input {
	const char *path;
	bool force, dump;
	struct stream_opts stream;
	struct cli_common common;
};

static const struct option_def input_options[] = {
	OPT_STRING('i', "input", struct heap_input, path, "file",
		   "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('D', "dump-raw-trace", struct heap_input, dump, "print all records of the file"),
	OPT_FLAG('f', "force", struct heap_input, force,
		 "read a recording that belongs to another user"),
	OPT_END
};

/* --- record */

struct heap_recording { struct record_heap heap; struct cli_common common; };

static int set_period(const struct opt_use *u, struct err *err)
{
	return record_parse_heap_period(&((struct heap_recording *)u->base)->heap, u->arg, err);
}

static int set_probes(const struct opt_use *u, struct err *err)
{
	static const char *const ways[] = { "auto", "session", "multi", "single" };
	const int way = word_index(ways, ARRAY_SIZE(ways), u->arg, strlen(u->arg));

	if (way < 0)
		return err_set(err, EINVAL, "--probes %s: they are auto, session, multi or single",
			       u->arg);
	((struct heap_recording *)u->base)->heap.way = way;
	return 0;
}

static const struct option_def record_options[] = {
	OPT_CALL(0, "period", "bytes", set_period,
		 "sample an allocation for about so many bytes (default: 512K; 1: each one)"),
	OPT_CALL(0, "probes", "way", set_probes,
		 "how functions are probed: session (Linux 6.14), multi (6.6), single, or auto\n"
		 "(default: the first that the kernel has)"),
	OPT_END
};

/* Where no event is asked for there is one that counts nothing, which brings the stacks. */
static int run_record(const struct heap_recording *h, const struct picture_record *r, int n,
		      const char **argv)
{
	static const char *const words[] = { "heap", "record", NULL };
	const struct record_preset p = { .words = words, .heap = h->heap };
	opt_list options = { 0 }, line = { 0 };
	int status;

	if (!r->events) {
		vec_push(&options, "-e");
		vec_push(&options, "dummy:u");
	}
	if (!r->stacks)
		vec_push(&options, "--call-graph=auto");
	if (h->common.quiet)
		vec_push(&options, "-q");
	for (int i = 0; i < h->common.verbose; i++)
		vec_push(&options, "-v");
	for vec_each(word, &r->words)
		vec_push(&options, *word);
	record_line(&line, &options, n, argv);
	if (!n)
		line.n -= 1;		/* no "--" without a command */
	status = record_with(&p, (int)line.n - 1, line.v);
	vec_free(&options);
	vec_free(&line);
	return status;
}

static int heap_record(int argc, const char **argv, void *in)
{
	static const char *const usage[] = { "[<options>] [<options of perf record>] [<command>]",
					     NULL };
	const struct heap_input *input = in;
	struct heap_recording h = { .heap.period = RECORD_HEAP_PERIOD, .common = input->common };
	struct picture_record r = { .events = false };
	const struct option_table tables[] = { { record_options, &h },
					       picture_options(&r, record_options),
					       cli_common_group(&h.common), { 0 } };
	const struct cli_cmd cmd = { .name = "heap record", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	int n = cli_parse(&cmd, argc, argv);

	if (n >= 0 && !picture_is_recorded(&r, n))
		n = cli_usage_error(&cmd, "what is to be recorded? A command, -p PID or -a");
	else
		n = n < 0 ? cli_status(n) : run_record(&h, &r, n, argv);
	picture_release(&r);
	return n;
}

/* --- report */

struct heap_cmd {
	struct heap_input in;
	struct heap_opts opts;
	struct heap_view view;
	const char *flame;
};

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	return cli_set_chain_min_pct(u, &((struct heap_cmd *)u->base)->opts.min_pct, err);
}

static int set_measure(const struct opt_use *u, struct err *err)
{
	const int k = word_index(heap_measure_names, HEAP_N_MEASURES, u->arg, strlen(u->arg));

	if (k < 0)
		return err_set(err, EINVAL, "--sort %s: it is live, peak, alloc, allocs or leak",
			       u->arg);
	((struct heap_cmd *)u->base)->opts.measure = (enum heap_measure)k;
	return 0;
}

#define F struct heap_cmd
static const struct option_def report_options[] = {
	OPT_CALL('s', "sort", "measure", set_measure,
		 "what shares are of, and rows are sorted by: live (default), peak, alloc,\n"
		 "allocs, leak"),
	OPT_FLAG('g', "stacks", F, opts.stacks, "show from where functions were called"),
	OPT_FLAG(0, "inverted", F, opts.inverted, "stacks begin with the innermost function"),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "hide branches of less than this percentage of all (default: 0.5)"),
	OPT_FLAG(0, "percentiles", F, opts.percentiles,
		 "also the times that 50, 95 and 99% of what was freed lived at most, by bytes"),
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
	struct heap_tables t = { .total = 0 };
	struct str out = STR_INIT;

	c->view.inverted = c->opts.inverted;
	c->view.min_pct = c->opts.min_pct;
	c->opts.percentiles |= table_output_data(&c->view.output);
	heap_tables(m, &c->opts, &t);
	heap_show(&out, &t, &c->view);
	cli_page(&out);
	str_release(&out);
	heap_tables_release(&t);
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
	const struct option_table tables[] = { { report_options, &c }, { input_options, &c.in },
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
					       { "report", heap_report }, { NULL, NULL } };
	static const char *const words[] = { "record", "report", NULL };
	const char *const usage[] = { "[<options>] {record|report}", NULL };
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
