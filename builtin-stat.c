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
#include "util/session/session.h"
#include "util/view/stat.h"

/* --- output --- */

static void put(struct stat_cmd *c, struct str *s)
{
	fflush(stdout);
	fwrite(str_cstr(s), 1, s->len, c->out);
	fflush(c->out);
	str_release(s);
}

static void on_interval(void *ctx, const struct stat_row *rows, size_t n, u64 time_ns)
{
	struct stat_cmd *c = ctx;
	struct str s = STR_INIT;
	static const char clear[] = "\033[H\033[2J";

	if (c->is_report) {
		c->view.aggr = c->count.stat.aggr;
		if (!c->interval_ns)
			view_stat_interval_title(&c->view, &s);
		c->interval_ns = 1;
	}

	if (c->interval_clear && isatty(fileno(c->out)))
		str_add(&s, clear);
	if (c->count.interval_count == 0 || time_ns)
		view_stat_rows(&c->view, rows, n, (s64)time_ns, NULL, &s);
	put(c, &s);
}

static void on_message(void *ctx, const char *text)
{
	struct stat_cmd *c = ctx;

	if (!c->common.quiet)
		fprintf(stderr, "%s\n", text);
}

static void add_title(const struct stat_cmd *c, size_t runs, struct str *out)
{
	const struct target *t = &c->target;

	str_add(out, "\n Performance counter stats for ");
	if (c->title.len) {
		str_addch(out, '\'');
		str_add_safe(out, c->title.buf);
		str_addch(out, '\'');
	} else if (t->pid)
		str_addf(out, "process id '%s'", t->pid);
	else if (t->tid)
		str_addf(out, "thread id '%s'", t->tid);
	else if (t->user)
		str_addf(out, "user '%s'", t->user);
	else if (t->cpu_list)
		str_addf(out, "'CPU(s) %s'", t->cpu_list);
	else if (t->system_wide || !c->count.argv)
		str_add(out, "'system wide'");
	else
		for (const char *const *a = c->count.argv; *a; a++) {
			str_add(out, a == c->count.argv ? "'" : " ");
			str_add_safe(out, *a);
			if (!a[1])
				str_add(out, "'");
		}
	if (runs > 1)
		str_addf(out, " (%zu runs)", runs);
	str_add(out, ":\n\n");
}

static void print_result(struct stat_cmd *c, const struct count_result *r)
{
	struct str s = STR_INIT;
	bool text = !table_output_data(&c->view.output);

	if (c->interval_ns && !c->summary)
		return;
	if (text)
		add_title(c, r->seconds.n, &s);
	view_stat_rows(&c->view, r->rows.v, r->rows.n, -1, c->interval_ns ? "summary" : NULL, &s);
	if (text) {
		str_addch(&s, '\n');
		view_stat_elapsed(r->seconds.v, r->seconds.n, c->table, &s);
		if (r->has_cpu_time && !c->target.system_wide && !c->target.cpu_list &&
		    r->seconds.n < 2)
			view_stat_cpu_time(r->user_s, r->sys_s, &s);
		str_addch(&s, '\n');
	}
	put(c, &s);
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
}

static int open_output(struct stat_cmd *c, struct err *err)
{
	const struct outfile_opts o = { .how = c->append ? OUTFILE_APPEND : OUTFILE_LIVE,
					.named = true, .mode = 0666 };
	time_t now = time(NULL);
	char when[32];

	c->out = stderr;
	if (c->output && c->log_fd > 0)
		return err_set(err, EINVAL, "-o and --log-fd exclude each other");
	if (c->log_fd > 0) {
		c->out = fdopen(dup(c->log_fd), c->append ? "a" : "w");
		if (!c->out) {
			c->out = stderr;
			return err_sys(err, errno, "cannot write to descriptor %d (--log-fd)",
				       c->log_fd);
		}
	} else if (c->output) {
		FILE *f = outfile_stream(c->output, &o, err);

		if (!f)
			return -err->code;
		c->out = f;
		if (!c->data.json)
			fprintf(c->out, "# started on %s\n", ctime_r(&now, when));
	} else if (c->append) {
		return err_set(err, EINVAL, "--append needs -o");
	}
	return 0;
}

/* A full disk is an error, not a shorter table. */
static int close_output(struct stat_cmd *c)
{
	bool bad = ferror(c->out) || fflush(c->out);
	int code = errno;
	struct err err = ERR_INIT;

	if (c->out != stderr && fclose(c->out)) {
		bad = true;
		code = errno;
	}
	if (!bad)
		return 0;
	if (c->out == stderr)
		return code == EPIPE ? 0 : CLI_FAILED;	/* there is nowhere to say why */
	if (c->output)
		err_sys(&err, code ? code : EIO, "cannot write '%s'", c->output);
	else
		err_sys(&err, code ? code : EIO, "cannot write to descriptor %d (--log-fd)",
			c->log_fd);
	cli_error(&err);
	err_release(&err);
	return CLI_FAILED;
}

/* --- checks and the run --- */

static void fill(struct stat_cmd *c, int n_args, const char **argv)
{
	c->target.no_inherit = c->no_inherit;
	c->count = (struct count_opts){
		.target = &c->target, .argv = n_args ? argv : NULL, .null_run = c->null_run,
			.sync_first = c->sync_first,
		.delay_ms = c->delay_ms, .interval_ns = c->interval_ns,
		.interval_count = c->interval_count,
		.timeout_ns = c->timeout_ns, .runs = c->runs, .pre = c->pre, .post = c->post,
		.on_interval = on_interval,
		.on_message = on_message, .ctx = c,
		.stat = { .aggr = c->aggr, .no_scale = !c->scale, .no_merge = c->no_merge,
			  .active_threads_only = c->aggr == STAT_THREAD && !c->target.pid &&
			  !c->target.tid },
	};
	c->view = (struct stat_view){ .aggr = c->aggr, .output = c->data,
				      .group_digits = c->big_num };
}

static int run(struct stat_cmd *c, struct count_result *r)
{
	struct err err = ERR_INIT;
	struct str title = STR_INIT;
	int ret = stat_prepare_events(c, &err), status;

	if (!ret)
		ret = open_output(c, &err);
	if (ret) {
		cli_error(&err);
		err_release(&err);
		return CLI_FAILED;
	}
	if (c->interval_ns) {
		view_stat_interval_title(&c->view, &title);
		put(c, &title);
	}
	ret = count_run(&c->events, &c->os, &c->count, r, &err);
	if (ret) {
		status = cli_error(&err);
		err_release(&err);
		return status;
	}
	print_changes(c, r);
	print_result(c, r);
	status = close_output(c);
	return status ? status : r->exit_code;
}

/* "perf stat record [<options>] [<command>]": as stat, and perf.data (or -o) gets every read. */
static int run_record(struct stat_cmd *c, int all_argc, const char *const *all_argv,
		      struct count_result *r)
{
	struct count_file_opts o = { .path = c->output, .version = PERF_RELEASE, .argc = all_argc,
				     .argv = all_argv };
	struct err err = ERR_INIT;
	int status;

	if (c->runs != 1 || c->null_run)
		return cli_errorf("stat record takes one run, and no -n");
	c->count.file = count_file_new(&o, &err);
	if (!c->count.file) {
		cli_error(&err);
		err_release(&err);
		return CLI_FAILED;
	}
	c->output = NULL;
	status = run(c, r);
	if (!r->seconds.n)
		count_file_abort(c->count.file);
	else if (count_file_finish(c->count.file, &c->events, &c->os, &err)) {
		status = cli_error(&err);
		err_release(&err);
	}
	count_file_free(c->count.file);
	return status;
}

struct report_cmd {
	struct stat_cmd stat;
	const char *input;
	bool force;
};

static const struct option_def report_options[] = {
	OPT_STRING('i', "input", struct report_cmd, input, "file", "input file name"),
	OPT_FLAG('f', "force", struct report_cmd, force,
		 "read a file that belongs to another user"),
	OPT_FLAG('A', "no-aggr", struct report_cmd, stat.no_aggr,
		 "disable aggregation across CPUs"),
	OPT_CALL_NO('x', "field-separator", "separator", stat_set_sep,
		    "print counts with custom separator"),
	OPT_FLAG('j', "json-output", struct report_cmd, stat.data.json,
		 "print counts in JSON format"),
	OPT_SET(0, "per-core", struct report_cmd, stat.aggr, STAT_CORE,
		"aggregate counts per physical processor core"),
	OPT_SET(0, "per-die", struct report_cmd, stat.aggr, STAT_DIE,
		"aggregate counts per processor die"),
	OPT_SET(0, "per-socket", struct report_cmd, stat.aggr, STAT_SOCKET,
		"aggregate counts per processor socket"),
	OPT_SET(0, "per-node", struct report_cmd, stat.aggr, STAT_NODE,
		"aggregate counts per numa node"),
	OPT_SETTING_FIELD("stat.big-num", OPT_KIND_FLAG, struct report_cmd, stat.big_num, NULL),
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

	k.replay = count_replay_new(s->source->reader, aggr, &c->count, res);
	ret = session_run(s, (struct sink *[]){ &k.sink }, 1);
	ret = ret ? ret : k.ret;
	if (!ret)
		ret = count_replay_end(k.replay, &c->title, &s->err);
	count_replay_free(k.replay);
	return ret;
}

static int run_report(struct report_cmd *p)
{
	struct stat_cmd *c = &p->stat;
	struct count_result r = { 0 };
	struct session s = { 0 };
	int ret = session_open(&s, &(struct session_opts){ .path = p->input, .force = p->force,
							   .quiet = c->common.quiet });

	c->out = stderr;
	c->view = (struct stat_view){ .output = c->data, .group_digits = c->big_num };
	c->count = (struct count_opts){ .on_interval = on_interval, .ctx = c };
	c->is_report = true;
	c->target.system_wide = true;	/* no CPU times of the command are in the file */
	if (!ret)
		ret = replay(p, &s, &r);
	if (!ret) {
		c->view.aggr = c->count.stat.aggr;
		c->interval_ns = c->count.interval_ns;
		print_result(c, &r);
	}
	str_release(&c->title);
	count_result_release(&r);
	return session_close(&s, ret);
}

static int cmd_stat_report(int argc, const char **argv)
{
	struct report_cmd p = { .stat = { .runs = 1, .big_num = true } };
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

int cmd_stat(int argc, const char **argv)
{
	struct stat_cmd c = { .runs = 1, .scale = true, .big_num = true };
	bool record = argc > 1 && !strcmp(argv[1], "record");
	const char **all = NULL;
	int n_all = argc + 1;
	static const char *const usage[] = { "[<options>] [<command>]",
					     "record [-o file] [<options>] [<command>]",
		"report [-i file] [<options>]", NULL };
	const struct option_table tables[] = { { stat_options, &c }, cli_target_group(&c.target),
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
	os_init(&c.os);
	c.db = pmu_db_new(&c.os);
	event_list_init(&c.events);
	c.events.only_counts = true;
	n = cli_parse(&cmd, argc, argv);
	if (c.no_aggr)
		c.aggr = STAT_CPU;
	if (c.target.per_thread)
		c.aggr = STAT_THREAD;
	if (!n && c.aggr != STAT_THREAD && target_none(&c.target))
		c.target.system_wide = true;
	status = n < 0 ? cli_status(n) : stat_check(&cmd, &c, n);
	if (n >= 0 && !status) {
		fill(&c, n, argv);
		status = record ? run_record(&c, n_all, all, &r) : run(&c, &r);
	}
	free(all);
	sig = r.signal;
	count_result_release(&r);
	event_list_release(&c.events);
	pmu_db_free(c.db);
	target_release(&c.target);
	for (size_t i = 0; i < c.texts.n; i++)
		free(c.texts.v[i]);
	vec_free(&c.texts);
	os_release(&c.os);
	if (sig) {		/* so that a shell's loop ends too */
		signal(sig, SIG_DFL);
		raise(sig);
	}
	return status;
}
