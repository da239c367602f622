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
	bool force, skip_eagain;
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
	OPT_DURATION(0, "io-min-time", struct timechart_cmd, view.io_min_ns, 1000, "time",
		     "all IO faster than min-time will visually appear longer"),
	OPT_DURATION(0, "io-merge-dist", struct timechart_cmd, view.io_merge_ns, 1000, "time",
		     "merge events that are merge-dist us apart"),
	OPT_FLAG(0, "io-skip-eagain", struct timechart_cmd, skip_eagain, "skip EAGAIN errors"),
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
	struct sink *sink, *io_sink;
	struct progress progress;
	struct err err;
};

static int run_model(struct run *r, const struct timechart_cmd *c)
{
	struct sink *sinks[2];

	os_init(&r->os);
	r->model = sched_new();
	r->chart = timechart_new(r->model, MAX_BARS);
	cli_stream_progress(&r->opts, &r->progress, "Processing events...");
	if (data_open(&r->reader, c->input, c->force ? DATA_FORCE : 0, &r->err) < 0)
		return -1;
	r->io_sink = timechart_io_sink_new(r->chart, r->model, &r->reader.events, r->reader.swap, c->skip_eagain);
	if (!r->reader.stream && !r->io_sink && sched_need_switches(&r->reader.events, r->reader.path, &r->err) < 0)
		return -1;
	r->stream = stream_new(&r->reader, &r->os, &r->opts, &r->err);
	if (!r->stream)
		return -1;
	sinks[0] = r->sink = sched_sink_new(r->model, &r->reader.events, r->reader.swap);
	sinks[1] = r->io_sink;
	if (stream_run(r->stream, sinks, r->io_sink ? 2 : 1, &r->err) < 0)
		return -1;
	sched_close(r->model);
	timechart_close(r->chart);
	progress_finish(&r->progress);
	return 0;
}

static void run_release(struct run *r)
{
	timechart_io_sink_free(r->io_sink);
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

struct record_cmd {
	bool io_only, tasks_only, callchain;
	const char *output, *pages;
};

static const struct option_def record_options[] = {
	OPT_FLAG('I', "io-only", struct record_cmd, io_only, "record only IO data"),
	OPT_FLAG('T', "tasks-only", struct record_cmd, tasks_only, "record only the scheduler's events"),
	OPT_FLAG('g', "callchain", struct record_cmd, callchain, "record callchain"),
	OPT_STRING('o', "output", struct record_cmd, output, "file", "output data file name"),
	OPT_STRING('m', "mmap-pages", struct record_cmd, pages, "pages", "size of each ring, in pages or with a unit"),
	OPT_END
};

typedef VEC(const char *) arg_list;

/* The calls that this kernel has; each is two events. */
static int add_io_events(arg_list *args, arg_list *names, struct err *err)
{
	struct str text = STR_INIT;
	struct os os;
	int ret;

	os_init(&os);
	ret = os_tracefs(&os, err);
	for (size_t i = 0; i < 2 * timechart_io_calls() && ret >= 0; i++) {
		const char *what = i % 2 ? "exit" : "enter", *name = timechart_io_call(i / 2);
		char *path = xasprintf("tracing:events/syscalls/sys_%s_%s/id", what, name);

		str_reset(&text);
		if (os_read_file(&os, path, &text, NULL) == 0) {
			vec_push(names, xasprintf("syscalls:sys_%s_%s", what, name));
			vec_push(args, "-e");
			vec_push(args, *vec_last(names));
		}
		free(path);
	}
	if (ret >= 0 && !names->n) {
		ret = err_set(err, ENOENT, "no tracepoints of system calls below %s/events/syscalls", os.tracefs);
		err_hint(err, "the kernel needs CONFIG_FTRACE_SYSCALLS");
	}
	str_release(&text);
	os_release(&os);
	return ret;
}

static int timechart_record(int argc, const char **argv, void *ctx UNUSED)
{
	struct record_cmd c = { 0 };
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	const struct option_table tables[] = { { record_options, &c }, { 0 } };
	const struct cli_cmd cmd = { .name = "timechart record", .usage = usage, .tables = tables, .flags = CLI_STOP_AT_NON_OPTION };
	static const char *const io_front[] = { "record", "-a", "-R", "-c", "1", "--exclude-perf" };
	static const char *const sched_front[] = { "sched", "record" };
	arg_list args = { 0 }, names = { 0 };
	const struct perf_command *front;
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv), ret = 0;

	if (n < 0)
		return cli_status(n);
	if (c.io_only && c.tasks_only)
		return cli_usage_error_opt(&cmd, "I,T", "-I and -T leave nothing to record");
	for (size_t i = 0; i < (c.io_only ? ARRAY_SIZE(io_front) : ARRAY_SIZE(sched_front)); i++)
		vec_push(&args, c.io_only ? io_front[i] : sched_front[i]);
	if (c.io_only)
		ret = add_io_events(&args, &names, &err);
	if (c.callchain)
		vec_push(&args, "-g");
	for (int i = 0; i < 2; i++) {
		const char *value = i ? c.pages : c.output;

		if (value) {
			vec_push(&args, i ? "-m" : "-o");
			vec_push(&args, value);
		}
	}
	vec_push(&args, "--");
	for (int i = 0; i < n; i++)
		vec_push(&args, argv[i]);
	vec_push(&args, NULL);
	if (ret < 0)
		ret = cli_error(&err);
	else if ((front = find_command(args.v[0])) != NULL)
		ret = front->run((int)args.n - 1, args.v);
	else
		ret = cli_errorf("this perf was built without 'perf %s'", args.v[0]);
	for (size_t i = 0; i < names.n; i++)
		free((char *)names.v[i]);
	vec_free(&names);
	vec_free(&args);
	err_release(&err);
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
