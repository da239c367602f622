// SPDX-License-Identifier: GPL-2.0-or-later
// perf timechart: a picture of who ran, waited and blocked when; and the recording for it.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/io.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/data/reader.h"
#include "util/view/timechart-svg.h"

/* About 64 MB: what a 10 s recording of a busy machine with 64 CPUs is thinned to. */
#define MAX_BARS (1 << 20)

struct timechart_cmd {
	const char *input, *output;
	bool force;
	struct timechart_view view;
	struct cli_common common;
};

static const struct option_def timechart_options[] = {
	OPT_STRING('i', "input", struct timechart_cmd, input, "file", "input file name"),
	OPT_FLAG('f', "force", struct timechart_cmd, force, "don't complain, do it"),
	OPT_STRING('o', "output", struct timechart_cmd, output, "file", "output file name"),
	OPT_INT('n', "proc-num", struct timechart_cmd, view.max_tasks, "n", "number of tasks to draw (default: 15)"),
	OPT_STRING('p', "process", struct timechart_cmd, view.processes, "process", "process selector. Pass a pid or process name."),
	OPT_FLAG('P', "power-only", struct timechart_cmd, view.cpus_only, "draw the CPUs only"),
	OPT_FLAG('T', "tasks-only", struct timechart_cmd, view.tasks_only, "draw the tasks only"),
	OPT_INT('w', "width", struct timechart_cmd, view.width, "n", "page width"),
	OPT_STRING(0, "highlight", struct timechart_cmd, view.highlight, "duration or task name",
		   "highlight tasks. Pass duration in ns or process name."),
	OPT_END
};

static int write_file(const char *path, const struct str *text, struct err *err)
{
	int fd = strcmp(path, "-") ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : dup(STDOUT_FILENO);
	int ret;

	if (fd < 0)
		return err_sys(err, errno, "cannot write '%s'", path);
	ret = io_write(fd, str_cstr(text), text->len);
	if (close(fd) < 0 && !ret)
		ret = -errno;
	return ret < 0 ? err_sys(err, -ret, "cannot write '%s'", path) : 0;
}

struct run {
	struct os os;
	struct data_reader reader;
	struct stream *stream;
	struct stream_opts opts;
	struct sched *model;
	struct timechart *chart;
	struct sink *sink;
	struct progress progress;
	struct err err;
};

static int run_model(struct run *r, const struct timechart_cmd *c)
{
	struct sink *sinks[1];

	os_init(&r->os);
	r->model = sched_new();
	r->chart = timechart_new(r->model, MAX_BARS);
	cli_stream_progress(&r->opts, &r->progress, "Processing events...");
	if (data_open(&r->reader, c->input, c->force ? DATA_FORCE : 0, &r->err) < 0 ||
	    (!r->reader.stream && sched_need_switches(&r->reader.events, r->reader.path, &r->err) < 0))
		return -1;
	r->stream = stream_new(&r->reader, &r->os, &r->opts, &r->err);
	if (!r->stream)
		return -1;
	sinks[0] = r->sink = sched_sink_new(r->model, &r->reader.events, r->reader.swap);
	if (stream_run(r->stream, sinks, 1, &r->err) < 0)
		return -1;
	sched_close(r->model);
	timechart_close(r->chart);
	progress_finish(&r->progress);
	return 0;
}

static void run_release(struct run *r)
{
	sched_sink_free(r->sink);
	timechart_free(r->chart);
	stream_free(r->stream);
	sched_free(r->model);
	data_close(&r->reader);
	os_release(&r->os);
	err_release(&r->err);
}

static int draw(const struct timechart_cmd *c)
{
	struct str svg = STR_INIT, warnings = STR_INIT;
	const struct sched_stats *st;
	struct run r = { 0 };
	int ret = run_model(&r, c);

	if (!ret) {
		timechart_svg(r.chart, r.model, &c->view, &svg);
		ret = write_file(c->output, &svg, &r.err);
	}
	if (ret < 0) {
		ret = cli_error(&r.err);
		goto out;
	}
	stream_warnings(r.stream, &warnings);
	fputs(str_cstr(&warnings), stderr);
	st = sched_get_stats(r.model);
	fprintf(stderr, "Written %2.1f seconds of trace to %s.\n",
		st->first_ns == UINT64_MAX ? 0 : (double)(st->last_ns - st->first_ns) / 1e9, c->output);
out:
	str_release(&svg);
	str_release(&warnings);
	run_release(&r);
	return ret;
}

static int timechart_record(int argc, const char **argv, void *ctx UNUSED)
{
	const struct perf_command *sched = find_command("sched");
	VEC(const char *) args = { 0 };
	int ret;

	/* The same events: those of the scheduler. */
	vec_push(&args, "sched");
	vec_push(&args, "record");
	for (int i = 1; i < argc; i++)
		vec_push(&args, argv[i]);
	vec_push(&args, NULL);
	ret = sched ? sched->run((int)args.n - 1, args.v) : cli_errorf("this perf was built without 'perf sched'");
	vec_free(&args);
	return ret;
}

static const struct cli_sub subs[] = { { "record", timechart_record }, { NULL, NULL } };

int cmd_timechart(int argc, const char **argv)
{
	struct timechart_cmd c = { .output = "output.svg" };
	const char *const usage[] = { "[<options>] {record}", NULL };
	static const char *const words[] = { "record", NULL };
	const struct option_table tables[] = { { timechart_options, &c }, cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "timechart", .usage = usage, .tables = tables, .flags = CLI_STOP_AT_NON_OPTION,
				     .words = words };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (n > 0)
		return cli_run_sub(&cmd, subs, n, argv, &c);
	if (c.view.cpus_only && c.view.tasks_only)
		return cli_usage_error_opt(&cmd, "P,T", "-P and -T leave nothing to draw");
	return draw(&c);
}
