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
#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/count/file.h"
#include "util/os/cgroup.h"
#include "util/session/session.h"
#include "util/view/stat.h"

struct stat_cmd {
	struct os os;
	struct pmu_db *db;
	struct event_list events;
	VEC(char *) texts;		/* of -e, for --for-each-cgroup */
	struct target target;
	struct count_opts count;
	struct stat_view view;
	struct cli_common common;
	bool is_report, no_inherit, null_run, no_aggr, no_merge, scale, append, sync_first, all_user, all_kernel, summary,
	     big_num, table, interval_clear;
	int detailed, runs, interval_count, log_fd;
	int aggr;
	s64 delay_ms;
	u64 interval_ns, timeout_ns;
	const char *cgroups, *each_cgroup, *output, *pre, *post;
	struct table_output data;
	FILE *out;
	struct str title;		/* of a recorded session */
};

static int add_event(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	vec_push(&c->texts, xstrdup(u->arg));
	return event_parse(&c->events, u->arg, &c->os, c->db, err);
}

static int add_filter(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	return event_set_filter(&c->events, u->arg, err);
}

static int set_delay(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	c->delay_ms = 0;
	if (u->unset)
		return 0;
	if (!parse_s64(u->arg, &c->delay_ms) || c->delay_ms < -1)
		return err_set(err, EINVAL, "'%s' is not a delay in milliseconds", u->arg);
	return 0;
}

static int set_sep(const struct opt_use *u, struct err *err UNUSED)
{
	struct stat_cmd *c = u->base;

	c->data.sep = cli_separator(u->arg);
	return 0;
}

#define AGGR(l, v, h) OPT_SET(0, l, struct stat_cmd, aggr, v, h)
static const struct option_def stat_options[] = {
	OPT_CALL('e', "event", "event", add_event, "event selector. use 'perf list' to list available events"),
	OPT_CALL(0, "filter", "filter", add_filter, "event filter"),
	OPT_FLAG('i', "no-inherit", struct stat_cmd, no_inherit, "child tasks do not inherit counters"),
	OPT_FLAG(0, "scale", struct stat_cmd, scale, "Use --no-scale to disable counter scaling for multiplexing"),
	OPT_COUNT('d', "detailed", struct stat_cmd, detailed, "detailed run - start a lot of events"),
	OPT_INT('r', "repeat", struct stat_cmd, runs, "n", "repeat command and print average + stddev (max: 100, forever: 0)"),
	OPT_FLAG(0, "table", struct stat_cmd, table, "display details about each run (only with -r option)"),
	OPT_FLAG('n', "null", struct stat_cmd, null_run, "null run - dont start any counters"),
	OPT_FLAG('S', "sync", struct stat_cmd, sync_first, "call sync() before starting a run"),
	OPT_FLAG('B', "big-num", struct stat_cmd, big_num, "print large numbers with thousands' separators"),
	OPT_FLAG('A', "no-aggr", struct stat_cmd, no_aggr, "disable aggregation across CPUs"),
	OPT_FLAG(0, "no-merge", struct stat_cmd, no_merge, "one row for each PMU of several equal ones"),
	OPT_CALL_NO('x', "field-separator", "separator", set_sep, "print counts with custom separator"),
	OPT_FLAG('j', "json-output", struct stat_cmd, data.json, "print counts in JSON format"),
	OPT_STRING('G', "cgroup", struct stat_cmd, cgroups, "name", "monitor event in cgroup name only"),
	OPT_STRING(0, "for-each-cgroup", struct stat_cmd, each_cgroup, "name", "expand events for each cgroup"),
	OPT_STRING('o', "output", struct stat_cmd, output, "file", "output file name"),
	OPT_FLAG(0, "append", struct stat_cmd, append, "append to the output file"),
	OPT_INT(0, "log-fd", struct stat_cmd, log_fd, "n", "log output to fd, instead of stderr"),
	OPT_STRING(0, "pre", struct stat_cmd, pre, "command", "command to run prior to the measured command"),
	OPT_STRING(0, "post", struct stat_cmd, post, "command", "command to run after to the measured command"),
	OPT_DURATION('I', "interval-print", struct stat_cmd, interval_ns, 1000000, "n",
		     "print counts at regular interval in ms"),
	OPT_INT(0, "interval-count", struct stat_cmd, interval_count, "n", "print counts for fixed number of times"),
	OPT_FLAG(0, "interval-clear", struct stat_cmd, interval_clear, "clear screen in between new interval"),
	OPT_FLAG(0, "summary", struct stat_cmd, summary, "print summary for interval mode"),
	OPT_DURATION(0, "timeout", struct stat_cmd, timeout_ns, 1000000, "n",
		     "stop workload and print counts after a timeout period in ms"),
	AGGR("per-core", STAT_CORE, "aggregate counts per physical processor core"),
	AGGR("per-cluster", STAT_CLUSTER, "aggregate counts per processor cluster"),
	AGGR("per-die", STAT_DIE, "aggregate counts per processor die"),
	AGGR("per-socket", STAT_SOCKET, "aggregate counts per processor socket"),
	AGGR("per-node", STAT_NODE, "aggregate counts per numa node"),
	AGGR("per-thread", STAT_THREAD, "aggregate counts per thread"),
	OPT_CALL_NO('D', "delay", "n", set_delay, "ms to wait before starting measurement after program start"),
	OPT_FLAG(0, "all-user", struct stat_cmd, all_user, "Configure all used events to run in user space."),
	OPT_FLAG(0, "all-kernel", struct stat_cmd, all_kernel, "Configure all used events to run in kernel space."),
	OPT_END
};

/* --- events --- */

static int add_default_events(struct stat_cmd *c, struct err *err)
{
	static const char *const more[] = {
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
		"L1-dcache-prefetches,L1-dcache-prefetch-misses",
	};
	bool tasks = !c->target.system_wide && !c->target.cpu_list;
	int ret = event_parse(&c->events, tasks ? "task-clock" : "cpu-clock", &c->os, c->db, err);

	if (!ret)
		ret = event_parse(&c->events, "context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses",
				  &c->os, c->db, err);
	for (int i = 0; !ret && i < c->detailed && i < (int)ARRAY_SIZE(more); i++)
		ret = event_parse(&c->events, more[i], &c->os, c->db, err);
	return ret;
}

static void set_modes(struct stat_cmd *c)
{
	for (size_t i = 0; i < c->events.events.n; i++) {
		struct perf_event_attr *a = &c->events.events.v[i]->attr;

		if (c->all_user)
			a->exclude_kernel = a->exclude_hv = 1;
		if (c->all_kernel)
			a->exclude_user = 1;
	}
}

static int set_cgroup(struct stat_cmd *c, struct event *e, const char *name, struct err *err)
{
	int fd = os_cgroup_open(&c->os, name, err);

	if (fd < 0)
		return fd;
	e->cgroup = xstrdup(name);
	e->cgroup_fd = fd;
	return 0;
}

/* -G a,b: one for each event in turn; a single one is for all. */
static int assign_cgroups(struct stat_cmd *c, struct err *err)
{
	char *copy = xstrdup(c->cgroups), *p = copy;
	size_t n = c->events.events.n;
	bool single = !strchr(copy, ',');
	int ret = 0;

	for (size_t i = 0; i < n && !ret && p; i++) {
		char *comma = single ? NULL : strchr(p, ',');

		if (comma)
			*comma = 0;
		if (*p)
			ret = set_cgroup(c, c->events.events.v[i], p, err);
		if (!single)
			p = comma ? comma + 1 : NULL;
	}
	free(copy);
	return ret;
}

static int expand_cgroups(struct stat_cmd *c, struct err *err)
{
	char *copy = xstrdup(c->each_cgroup), *save = NULL;
	int ret = 0;
	bool first = true;

	for (char *p = strtok_r(copy, ",", &save); p && !ret; p = strtok_r(NULL, ",", &save)) {
		size_t from = first ? 0 : c->events.events.n;

		if (!first && !c->texts.n)
			ret = add_default_events(c, err);
		for (size_t i = 0; !first && i < c->texts.n && !ret; i++)
			ret = event_parse(&c->events, c->texts.v[i], &c->os, c->db, err);
		for (size_t i = from; i < c->events.events.n && !ret; i++)
			ret = set_cgroup(c, c->events.events.v[i], p, err);
		first = false;
	}
	free(copy);
	return ret;
}

static int prepare_events(struct stat_cmd *c, struct err *err)
{
	int ret = 0;

	if (c->null_run)
		return 0;
	if (!c->events.events.n)
		ret = add_default_events(c, err);
	if (!ret && c->each_cgroup)
		ret = expand_cgroups(c, err);
	if (!ret && c->cgroups)
		ret = assign_cgroups(c, err);
	set_modes(c);
	return ret;
}

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
		if (r->has_cpu_time && !c->target.system_wide && !c->target.cpu_list && r->seconds.n < 2)
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
	const struct outfile_opts o = { .how = c->append ? OUTFILE_APPEND : OUTFILE_LIVE, .named = true, .mode = 0666 };
	time_t now = time(NULL);
	char when[32];

	c->out = stderr;
	if (c->output && c->log_fd > 0)
		return err_set(err, EINVAL, "-o and --log-fd exclude each other");
	if (c->log_fd > 0) {
		c->out = fdopen(dup(c->log_fd), c->append ? "a" : "w");
		if (!c->out) {
			c->out = stderr;
			return err_sys(err, errno, "cannot write to descriptor %d (--log-fd)", c->log_fd);
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
		err_sys(&err, code ? code : EIO, "cannot write to descriptor %d (--log-fd)", c->log_fd);
	cli_error(&err);
	err_release(&err);
	return CLI_FAILED;
}

/* --- checks and the run --- */

static int check(const struct cli_cmd *cmd, struct stat_cmd *c, int n_args)
{
	bool wide = c->target.system_wide || c->target.cpu_list;
	bool threads = c->target.pid || c->target.tid || c->target.user;
	static const char *const needs_a[] = { [STAT_CPU] = "-A", [STAT_CORE] = "--per-core", [STAT_CLUSTER] = "--per-cluster",
		[STAT_DIE] = "--per-die", [STAT_SOCKET] = "--per-socket", [STAT_NODE] = "--per-node" };

	if (c->aggr != STAT_GLOBAL && c->aggr != STAT_THREAD && !wide)
		return cli_usage_error_opt(cmd, "all-cpus,cpu", "%s needs -a (or -C): counts per CPU are of the whole system",
					   needs_a[c->aggr]);
	if (c->aggr == STAT_THREAD && n_args && !threads && !c->target.system_wide)
		return cli_usage_error_opt(cmd, "pid,tid,all-cpus", "--per-thread needs -p, -t or -a");
	if ((c->cgroups || c->each_cgroup) && !wide)
		return cli_usage_error_opt(cmd, "cgroup,all-cpus", "%s needs -a (or -C): cgroups are counted on CPUs",
					   c->cgroups ? "-G" : "--for-each-cgroup");
	if (c->cgroups && c->each_cgroup)
		return cli_usage_error_opt(cmd, "cgroup,for-each-cgroup", "-G and --for-each-cgroup exclude each other");
	if (c->cgroups && !c->events.events.n)
		return cli_usage_error_opt(cmd, "event,cgroup", "-G needs events (-e) before it");
	if (c->interval_ns && c->interval_ns < 1000000)
		return cli_usage_error_opt(cmd, "interval-print", "an interval is at least 1 ms");
	if (c->interval_count && !c->interval_ns)
		return cli_usage_error_opt(cmd, "interval-print,interval-count", "--interval-count needs -I");
	if (c->runs < 0 || c->runs > 100000)
		return cli_usage_error_opt(cmd, "repeat", "-r takes 0 (until Ctrl-C) to 100000 runs");
	if (c->runs != 1 && (!n_args || c->interval_ns))
		return cli_usage_error_opt(cmd, "repeat", "-r needs a command%s", c->interval_ns ? " and excludes -I" : "");
	if (c->data.sep && c->data.json)
		return cli_usage_error_opt(cmd, "field-separator,json-output", "-x and -j exclude each other");
	return 0;
}

static void fill(struct stat_cmd *c, int n_args, const char **argv)
{
	c->target.no_inherit = c->no_inherit;
	c->count = (struct count_opts){
		.target = &c->target, .argv = n_args ? argv : NULL, .null_run = c->null_run, .sync_first = c->sync_first,
		.delay_ms = c->delay_ms, .interval_ns = c->interval_ns, .interval_count = c->interval_count,
		.timeout_ns = c->timeout_ns, .runs = c->runs, .pre = c->pre, .post = c->post, .on_interval = on_interval,
		.on_message = on_message, .ctx = c,
		.stat = { .aggr = c->aggr, .no_scale = !c->scale, .no_merge = c->no_merge,
			  .active_threads_only = c->aggr == STAT_THREAD && !c->target.pid && !c->target.tid },
	};
	c->view = (struct stat_view){ .aggr = c->aggr, .output = c->data, .group_digits = c->big_num };
}

static int run(struct stat_cmd *c, struct count_result *r)
{
	struct err err = ERR_INIT;
	struct str title = STR_INIT;
	int ret = prepare_events(c, &err), status;

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
static int run_record(struct stat_cmd *c, int all_argc, const char *const *all_argv, struct count_result *r)
{
	struct count_file_opts o = { .path = c->output, .version = PERF_RELEASE, .argc = all_argc, .argv = all_argv };
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
	OPT_FLAG('f', "force", struct report_cmd, force, "read a file that belongs to another user"),
	OPT_FLAG('A', "no-aggr", struct report_cmd, stat.no_aggr, "disable aggregation across CPUs"),
	OPT_CALL_NO('x', "field-separator", "separator", set_sep, "print counts with custom separator"),
	OPT_FLAG('j', "json-output", struct report_cmd, stat.data.json, "print counts in JSON format"),
	OPT_SET(0, "per-core", struct report_cmd, stat.aggr, STAT_CORE, "aggregate counts per physical processor core"),
	OPT_SET(0, "per-die", struct report_cmd, stat.aggr, STAT_DIE, "aggregate counts per processor die"),
	OPT_SET(0, "per-socket", struct report_cmd, stat.aggr, STAT_SOCKET, "aggregate counts per processor socket"),
	OPT_SET(0, "per-node", struct report_cmd, stat.aggr, STAT_NODE, "aggregate counts per numa node"),
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
	struct replay_sink k = { .sink = { .wants = SINK_SIDEBAND, .record = replay_record, .ctx = &k },
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
	const struct option_table tables[] = { { report_options, &p }, session_group(), cli_common_group(&p.stat.common), { 0 } };
	const struct cli_cmd cmd = { .name = "stat report", .usage = usage, .tables = tables, .flags = CLI_NO_ARGUMENTS };
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
	static const char *const usage[] = { "[<options>] [<command>]", "record [-o file] [<options>] [<command>]",
		"report [-i file] [<options>]", NULL };
	const struct option_table tables[] = { { stat_options, &c }, cli_target_group(&c.target), cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "stat", .usage = usage, .tables = tables, .flags = CLI_STOP_AT_NON_OPTION };
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
	status = n < 0 ? cli_status(n) : check(&cmd, &c, n);
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
