// SPDX-License-Identifier: GPL-2.0-or-later
// perf io: requests to block devices, who makes them, and how long they take; and the page cache.
#include <stdio.h>

#include "builtin.h"
#include "builtin-io.h"
#include "builtin-record.h"
#include "util/analysis/page-cache.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/rows.h"
#include "util/os/os.h"
#include "util/session/live-table.h"
#include "util/session/warnings.h"
#include "util/view/io-text.h"

#define IO_QUEUED "block:block_rq_insert"
#define IO_ISSUED "block:block_rq_issue"
#define IO_DONE "block:block_rq_complete"

struct io_cmd {
	struct io_input in;
	struct io_opts opts;
	struct io_table_opts table;
	struct io_view view;
	u64 delay_ns;
	struct io_model *live;
};

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	return cli_set_chain_min_pct(u, &((struct io_cmd *)u->base)->table.min_pct, err);
}

#define F struct io_cmd
static const struct option_def table_options[] = {
	OPT_STRING('s', "sort", F, opts.keys, "key[,key2...]",
		   "what rows are of: comm, pid, tid, device, op, size (default:\n"
		   "comm,device,op)"),
	OPT_FLAG('g', "call-graph", F, opts.chains, "show from where requests were made"),
	OPT_FLAG(0, "inverted", F, table.inverted, "stacks begin with the innermost function"),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "hide branches of less than this percentage of all time (default: 0.5)"),
	OPT_FLAG(0, "percentiles", F, table.percentiles,
		 "also the times that 50, 95 and 99% of the requests are not above"),
	OPT_FLAG(0, "histogram", F, view.histogram,
		 "also how often requests took how long"),
	OPT_END
};

static const struct option_def report_options[] = {
	OPT_STRING(0, "time", F, in.stream.filter.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_END
};

static int set_delay(const struct opt_use *u, struct err *err)
{
	struct io_cmd *c = u->base;

	return cli_set_delay(u, 2, &c->delay_ns, err);
}

static const struct option_def live_options[] = {
	OPT_CALL_NO('d', "delay", "n", set_delay, "seconds between tables (default 2)"),
	OPT_END
};
#undef F

static void add_tables(struct io_model *m, struct io_cmd *c, struct str *out)
{
	struct io_tables t = { .facts.key = NULL };

	c->view.inverted = c->table.inverted;
	c->view.min_pct = c->table.min_pct;
	c->table.percentiles |= table_output_data(&c->view.output);
	io_tables(m, &c->table, &t);
	io_show(out, &t, &c->view);
	io_tables_release(&t);
}

static void show(struct io_model *m, struct io_cmd *c)
{
	struct str out = STR_INIT;

	add_tables(m, c, &out);
	cli_page(&out);
	str_release(&out);
}

static void tell_stats(const struct io_stats *st)
{
	if (st->n_unended)
		cli_warn("%llu requests had no end in the recording: they are not counted",
			 (unsigned long long)st->n_unended);
	if (st->n_unbegun)
		cli_warn("%llu requests began before the recording, or their beginning was lost: "
			 "they are not counted", (unsigned long long)st->n_unbegun);
}

static int run(struct io_cmd *c)
{
	struct session s = { 0 };
	struct io_model *m = NULL;
	int ret = io_open_recording(&s, &c->in, io_need_events);

	if (!ret && !(m = io_new(&c->opts, s.source->events, s.source->swap, &s.err)))
		ret = -1;
	if (!ret)
		ret = session_run(&s, (struct sink *[]){ io_sink(m) }, 1);
	if (!ret) {
		show(m, c);
		if (!c->in.common.quiet)
			tell_stats(io_get_stats(m));
	}
	session_warn_analysis(&s, m ? io_get_stats(m)->n_bad : 0, ret);
	io_free(m);
	return session_close(&s, ret);
}

static int io_report(int argc, const char **argv, void *in)
{
	struct io_cmd c = { .in = *(struct io_input *)in, .table.min_pct = CLI_CHAIN_MIN_PCT };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { table_options, &c }, { report_options, &c },
					       { io_input_options, &c.in },
					       cli_symbols_group(&c.in.stream.symbols),
					       cli_output_group(&c.view.output), session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "io report", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : run(&c);
}

static struct sink *begin_live(void *ctx, const struct event_list *events,
			       struct machine *machine UNUSED, struct err *err)
{
	struct io_cmd *c = ctx;

	c->live = io_new(&c->opts, events, false, err);
	return c->live ? io_sink(c->live) : NULL;
}

static void show_live(void *ctx, struct str *out)
{
	struct io_cmd *c = ctx;

	add_tables(c->live, c, out);
	io_restart(c->live);
}

/* What began before is no news here. */
static int io_live(int argc, const char **argv, void *in)
{
	struct io_cmd c = { .in = *(struct io_input *)in, .table.min_pct = CLI_CHAIN_MIN_PCT,
			    .delay_ns = LIVE_TABLE_NS };
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	const struct option_table tables[] = { { live_options, &c }, { table_options, &c },
					       cli_symbols_group(&c.in.stream.symbols),
					       cli_output_group(&c.view.output),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "io live", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	static const char *const events[] = { IO_QUEUED, IO_ISSUED, IO_DONE, NULL };
	struct live_table_opts o = { .events = events, .stream = &c.in.stream,
				     .lost_means = "their requests are missing, or have no end",
				     .begin = begin_live, .show = show_live, .ctx = &c };
	const int n = cli_parse(&cmd, argc, argv);
	int status;

	if (n < 0)
		return cli_status(n);
	c.in.stream.threads = 1;
	o.argv = n ? argv : NULL;
	o.stacks = c.opts.chains ? &live_table_kernel_stacks : NULL;
	o.delay_ns = c.delay_ns;
	o.plain = table_output_data(&c.view.output);
	status = live_table_run(&o);
	io_free(c.live);
	return status;
}

/* ---- record ---- */

struct io_record_opts { bool cache; };
static const struct option_def record_options[] = {
	OPT_FLAG(0, "cache", struct io_record_opts, cache,
		 "also the events of the page cache, for perf io cache"),
	OPT_END
};

static int find_cache_events(word_list *out, struct err *err)
{
	struct os os;
	int ret;

	os_init(&os);
	ret = record_find_events(&os, page_cache_events, out, err);
	os_release(&os);
	return ret;
}

/* Who makes a request is known where it is queued or issued; where it ends it is an interrupt. */
static int record(bool cache, int argc, const char **argv)
{
	static const char *const words[] = { "io", "record", NULL };
	static const char *const events[] = { IO_QUEUED, IO_ISSUED, IO_DONE "/call-graph=no/" };
	word_list names = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	int ret = cache ? find_cache_events(&names, &err) : 0;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		vec_push(&names, xstrdup(events[i]));
	vec_push(&names, NULL);
	ret = ret < 0 ? cli_error(&err) :
		record_with(&(struct record_preset){ .words = words,
						     .events = (const char *const *)names.v,
						     .system_wide = true, .raw = true, .period = 1,
						     .callchain = true }, argc, argv);
	words_release(&names);
	err_release(&err);
	return ret;
}

static int io_record(int argc, const char **argv, void *in UNUSED)
{
	struct io_record_opts c = { .cache = false };
	const char *const usage[] = { "[--cache] [<options of perf record>] [<command>]", NULL };
	const struct option_table tables[] = { { record_options, &c }, { 0 } };
	const struct cli_cmd cmd = { .name = "io record", .usage = usage, .tables = tables };
	bool help;
	const int n = record_own_flags(&cmd, argc, argv, &help);

	if (help)
		return cmd_record(argc, argv);		/* and what perf record has */
	return n < 0 ? cli_status(n) : record(c.cache, argc - n, argv + n);
}

int cmd_io(int argc, const char **argv)
{
	static const struct cli_sub subs[] = { { "record", io_record }, { "report", io_report },
					       { "live", io_live }, { "cache", io_cache },
					       { NULL, NULL } };
	static const char *const words[] = { "record", "report", "live", "cache", NULL };
	const char *const usage[] = { "[<options>] {record|report|live|cache}", NULL };
	struct io_input in = { .path = NULL };
	const struct option_table tables[] = { { io_input_options, &in },
					       cli_symbols_group(&in.stream.symbols),
					       session_group(), cli_common_group(&in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "io", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &in);
}
