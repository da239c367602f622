// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-stat.h"
#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/count/file.h"
#include "util/os/text-server.h"
#include "util/session/session.h"
#include "util/view/stat.h"

static void on_message(void *ctx, const char *text)
{
	struct stat_cmd *c = ctx;

	if (!c->common.quiet)
		fprintf(stderr, "%s\n", text);
}

#define MOST_NAMES 6

/* Not between data that go to the same place. */
static bool may_warn(const struct stat_cmd *c)
{
	return !c->common.quiet && !(table_output_data(&c->output.data) && c->output.f == stderr);
}

/* Why rows say <not supported>: once, where something was asked for by name. */
static void print_unsupported(const struct stat_cmd *c, const struct count_result *r)
{
	const bool asked = c->events.texts.n || c->events.metrics;
	struct str names = STR_INIT;
	size_t n = 0;
	bool hardware = false;

	for vec_each(x, &r->report.changes) {
		const struct event *e = c->events.list.events.v[x->event_index];

		if (x->what != OPEN_UNSUPPORTED)
			continue;
		hardware |= e->attr.type == PERF_TYPE_HARDWARE || e->attr.type ==
			PERF_TYPE_HW_CACHE || e->attr.type == PERF_TYPE_RAW;
		if (n++ < MOST_NAMES)
			str_addf(&names, "%s'%s'", n > 1 ? ", " : "", event_typed(e));
	}
	if (n > MOST_NAMES)
		str_addf(&names, " and %zu more", n - MOST_NAMES);
	if (n && asked && may_warn(c))
		cli_warn("not supported by this machine: %s%s", str_cstr(&names), hardware ?
			 ": it has no such hardware counters (virtual machines often have none)" :
			 "");
	str_release(&names);
}

/* What was changed to make counting possible; what is shown by the row itself is not repeated. */
static void print_changes(const struct stat_cmd *c, const struct count_result *r)
{
	for (size_t i = 0; i < r->report.changes.n; i++) {
		const struct open_change *x = &r->report.changes.v[i];

		if (x->what == OPEN_BROKE_GROUP || x->what == OPEN_DROPPED_PRECISE)
			cli_warn("%s", x->detail);
		else if (c->common.verbose)
			cli_warn("%s", x->detail);
	}
	print_unsupported(c, r);
}

/* --- checks and the run --- */

static void fill(struct stat_cmd *c, int n_args, const char **argv)
{
	struct count_opts *o = &c->count;

	c->target.no_inherit = c->no_inherit;
	o->target = &c->target;
	o->argv = n_args ? argv : NULL;
	o->on_interval = stat_on_interval;
	o->on_message = on_message;
	o->ctx = c;
	o->stat.aggr = c->aggr;
	o->stat.no_scale = !c->scale;
	if (c->events.no_threshold)
		c->count.stat.no_threshold = true;
	o->stat.active_threads_only = c->aggr == STAT_THREAD && !c->target.pid && !c->target.tid;
	c->output.view = (struct stat_view){ .aggr = c->aggr, .output = c->output.data,
					     .group_digits = c->output.big_num,
					     .metric_only = c->output.metric_only,
					     .formulas = &c->events.formulas };
	c->output.metric_head_due = c->output.metric_only;
}

static void warn_retire_latency(const struct stat_cmd *c)
{
	for vec_each(e, &c->events.list.events)
		if ((*e)->retire_latency && may_warn(c)) {
			cli_warn("'%s' is shown as 0: a retire latency comes with samples, which "
				 "CPUs of Intel have from Granite Rapids on and perf stat does not "
				 "take; 'perf record -W' does, and perf report --sort retire_lat "
				 "shows them", event_typed(*e));
			return;
		}
}

static int run(struct stat_cmd *c, struct count_result *r)
{
	struct err err = ERR_INIT;
	int ret = stat_prepare_events(c, &err), status;

	if (!ret)
		ret = stat_output_open(&c->output, c->common.quiet, &err);
	if (ret) {
		cli_error(&err);
		err_release(&err);
		return CLI_FAILED;
	}
	warn_retire_latency(c);
	c->output.view.colour = isatty(fileno(c->output.f));
	c->output.head_due = c->count.interval_ns && !c->output.metric_only &&
		!c->output.openmetrics;
	ret = count_run(&c->events.list, &c->os, &c->count, r, &err);
	if (ret) {
		status = cli_error(&err);
		err_release(&err);
		return status;
	}
	print_changes(c, r);
	stat_print_result(c, r);
	status = stat_output_close(&c->output);
	return status ? status : r->exit_code;
}

/* "perf stat record [<options>] [<command>]": as stat, and perf.data (or -o) gets every read. */
static int run_record(struct stat_cmd *c, int all_argc, const char *const *all_argv,
		      struct count_result *r)
{
	struct count_file_opts o = { .path = c->output.path, .version = PERF_RELEASE,
				     .argc = all_argc,
				     .argv = all_argv };
	struct err err = ERR_INIT;
	int status;

	if (c->count.runs != 1 || c->count.null_run || c->iostat.on)
		return cli_errorf("stat record takes one run, no -n and no --iostat");
	c->count.file = count_file_new(&o, &err);
	if (!c->count.file) {
		cli_error(&err);
		err_release(&err);
		return CLI_FAILED;
	}
	c->output.path = NULL;
	status = run(c, r);
	if (!r->seconds.n)
		count_file_abort(c->count.file);
	else if (count_file_finish(c->count.file, &c->events.list, &c->os, &err)) {
		status = cli_error(&err);
		err_release(&err);
	}
	count_file_free(c->count.file);
	return status;
}

int cmd_stat(int argc, const char **argv)
{
	struct stat_cmd c = { .count.runs = 1, .scale = true, .output.big_num = true };
	const bool record = argc > 1 && !strcmp(argv[1], "record");
	const char **all = NULL;
	int n_all = argc + 1;
	static const char *const usage[] = { "[<options>] [<command>]",
					     "--compare <command> <command> [<options>]",
					     "record [-o file] [<options>] [<command>]",
		"report [-i file] [<options>]", NULL };
	const struct option_table tables[] = { { stat_options, &c }, { stat_preset_options, &c },
					       { stat_iostat_options, &c },
					       cli_target_group(&c.target),
					       cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "stat", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct count_result r = { 0 };
	int n, status, sig;

	if (argc > 1 && !strcmp(argv[1], "report"))
		return cmd_stat_report(argc - 1, argv + 1);
	all = xcalloc((size_t)n_all + 1, sizeof(*all));
	all[0] = "perf";
	memcpy(all + 1, argv, (size_t)argc * sizeof(*argv));
	if (record) {
		argc--;
		argv++;
	}
	c.record = record;
	os_init(&c.os);
	c.db = pmu_db_new(&c.os);
	event_list_init(&c.events.list);
	c.events.list.only_counts = true;
	status = record ? 0 : stat_compare_take(&cmd, &c, &argc, argv);
	n = status ? 0 : cli_parse(&cmd, argc, argv);
	if (c.no_aggr)
		c.aggr = STAT_CPU;
	if (c.target.per_thread)
		c.aggr = STAT_THREAD;
	if (!n && !c.compare.commands[0] && c.aggr != STAT_THREAD && target_none(&c.target))
		c.target.system_wide = true;
	if (!status)
		status = n < 0 ? cli_status(n) : stat_check(&cmd, &c, n);
	if (n >= 0 && !status && c.iostat.list) {
		status = stat_iostat_list(&c);
	} else if (n >= 0 && !status) {
		fill(&c, n, argv);
		status = record ? run_record(&c, n_all, all, &r) :
			c.compare.commands[0] ? stat_compare_run(&c) : run(&c, &r);
	}
	free(all);
	sig = r.signal;
	count_result_release(&r);
	event_list_release(&c.events.list);
	pmu_db_free(c.db);
	target_release(&c.target);
	for vec_each(t, &c.events.texts)
		free(t->text);
	vec_free(&c.events.texts);
	iio_ports_release(&c.iostat.ports);
	text_server_stop(c.output.server);
	stat_presets_end(&c);
	stat_metrics_release(&c.events);
	vec_free(&c.events.by_bpf.ids);
	vec_free(&c.count.bpf_programs);
	vec_free(&c.count.windows);
	vec_free(&c.output.sums);
	os_release(&c.os);
	if (sig) {		/* so that a shell's loop ends too */
		signal(sig, SIG_DFL);
		raise(sig);
	}
	return status;
}
