// SPDX-License-Identifier: GPL-2.0-or-later
// perf daemon: record sessions in the background, from a configuration file.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-daemon.h"
#include "builtin.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/daemon/server.h"
#include "util/daemon/talk.h"
#include "util/os/run.h"

/* --- start --- */

static void show_warnings(const struct str *texts)
{
	for (size_t at = 0; at < texts->len; at += strlen(texts->buf + at) + 1)
		cli_warn("%s", texts->buf + at);
}

static int serve(struct daemon *d, struct str *warnings, int report_fd)
{
	struct err err = ERR_INIT;
	int status = 0;

	if (daemon_begin(d, warnings, &err)) {
		status = cli_error(&err);
	} else if (report_fd < 0) {
		show_warnings(warnings);
	} else {
		io_write(report_fd, warnings->buf, warnings->len);
		close(report_fd);
	}
	if (!status)
		daemon_serve(d);
	daemon_close(d);
	err_release(&err);
	return status;
}

/* The other process has the base: it tells what did not start, and this one is done. */
static int background(struct daemon *d, struct err *err)
{
	const int output_fd = daemon_base_append(d->base.path, "output", err);
	struct str warnings = STR_INIT;
	int report_fd = -1, status = 0;
	pid_t pid = output_fd < 0 ? output_fd : run_in_background(&report_fd, err);

	if (pid == 0) {
		run_detach(output_fd);
		close(output_fd);
		status = serve(d, &warnings, report_fd);
	} else if (pid < 0) {
		status = cli_error(err);
		daemon_close(d);
	} else {
		close(output_fd);
		io_read_fd(report_fd, "the daemon", 1 << 20, &warnings, NULL);
		close(report_fd);
		show_warnings(&warnings);
		daemon_leave(d);
	}
	str_release(&warnings);
	return status;
}

/* Scripts know another daemon by upstream's word in front, of one line. */
static int refuse(const struct err *err)
{
	struct str line = STR_INIT;

	if (err->code != EBUSY || !err->hint)
		return cli_error(err);
	str_add(&line, "failed: ");
	str_add_safe(&line, err->msg);
	str_add(&line, "; ");
	str_add_safe(&line, err->hint);
	fprintf(stderr, "%s\n", str_cstr(&line));
	str_release(&line);
	return CLI_FAILED;
}

static int start(const struct daemon_cmd *c, struct daemon_config *config, const char *base)
{
	const struct daemon_opts o = { .base = base, .load = daemon_config_load, .ctx = config,
				       .files = (const char *const *)config->files.v };
	struct daemon_plan plan = { 0 };
	struct str warnings = STR_INIT;
	struct err err = ERR_INIT;
	struct daemon d;
	int ret = daemon_config_load(config, &plan, &err), status;

	if (!c->foreground)
		run_close_inherited();
	if (ret) {
		status = cli_error(&err);
	} else if (daemon_open(&d, &o, &plan, &err)) {
		status = refuse(&err);
		daemon_close(&d);
	} else {
		if (!plan.sessions.n)
			cli_warn("no session is configured: the daemon waits for one "
				 "([session-NAME] with 'run = OPTIONS')");
		status = c->foreground ? serve(&d, &warnings, -1) : background(&d, &err);
	}
	daemon_plan_release(&plan);
	str_release(&warnings);
	err_release(&err);
	return status;
}

/* --- the other commands --- */

static void show_paths(const char *sep, const char *dir, const char *const *names,
		       const char *const *titles, struct str *out)
{
	for (; *names; names++, titles++) {
		if (!sep)
			str_addf(out, "  %-9s", *titles);
		else
			str_add(out, sep);
		str_add_safe(out, dir);
		str_addf(out, "%s%s", **names ? "/" : "", *names);
		if (!sep)
			str_addch(out, '\n');
	}
}

static void show_row(const struct daemon_cmd *c, const char *base, const struct daemon_row *row,
		     struct str *out)
{
	static const char *const files[] = { "", "output", "control", "ack", NULL },
		*const of_daemon[] = { "output", "lock", NULL },
		*const titles[] = { "base:", "output:", "control:", "ack:" },
		*const daemon_titles[] = { "output:", "lock:" };
	const bool is_daemon = !strcmp(row->kind, "daemon"), more = c->sep || c->common.verbose;
	char *dir = is_daemon ? xstrdup(base) : xasprintf("%s/session-%s", base, row->name);

	if (c->sep)
		str_addf(out, "%s%s%s%s", row->number, c->sep, is_daemon ? "daemon" : row->name,
			 c->sep);
	else
		str_addf(out, "[%s:%s] %s", row->number, is_daemon ? "daemon" : row->name,
			 is_daemon ? "base: " : "perf record ");
	str_add_safe(out, is_daemon ? base : row->text);
	if (!c->sep)
		str_addch(out, '\n');
	if (more)
		show_paths(c->sep, dir, is_daemon ? of_daemon : files, is_daemon ? daemon_titles :
			   titles, out);
	if (c->sep)
		str_addf(out, "%s%s\n", c->sep, row->minutes);
	else if (more)
		str_addf(out, "  up:      %s minutes\n", row->minutes);
	free(dir);
}

static int show_list(const struct daemon_cmd *c, const struct daemon_answer *a)
{
	const char *base = a->rows.v[0].name;
	struct str out = STR_INIT;

	for vec_each(row, &a->rows)
		if (strcmp(row->kind, "ended"))
			show_row(c, base, row, &out);
	fputs(str_cstr(&out), stdout);
	fflush(stdout);
	for vec_each(row, &a->rows)
		if (!strcmp(row->kind, "ended"))
			cli_warn("session '%s' has ended: %s; see '%s/session-%s/output'",
				 row->name, row->number, base, row->name);
	str_release(&out);
	return 0;
}

static int show_signals(const struct daemon_cmd *c UNUSED, const struct daemon_answer *a)
{
	int status = 0;

	for vec_each(row, &a->rows)
		if (!strcmp(row->kind, "signal"))
			printf("signal %d sent to session '%s [%s]'\n", SIGUSR2, row->name,
			       row->number);
		else if (!strcmp(row->kind, "fail"))
			status = cli_errorf("no signal was sent to session '%s': %s", row->name,
					    row->text);
	return status;
}

static int show_pings(const struct daemon_cmd *c UNUSED, const struct daemon_answer *a)
{
	struct str out = STR_INIT;
	int status = 0;

	for vec_each(row, &a->rows)
		if (!strcmp(row->kind, "ok")) {
			str_addf(&out, "OK   %s\n", row->name);
		} else if (!strcmp(row->kind, "fail")) {
			str_add(&out, "FAIL ");
			str_add_safe(&out, row->name);
			str_addf(&out, " (%s)\n", row->text);
			status = CLI_FAILED;
		}
	fputs(str_cstr(&out), stdout);
	str_release(&out);
	return status;
}

static int show_nothing(const struct daemon_cmd *c UNUSED, const struct daemon_answer *a UNUSED)
{
	return 0;
}

static int ask(const struct daemon_cmd *c, const char *base, const char *verb,
	       int (*show)(const struct daemon_cmd *c, const struct daemon_answer *a))
{
	struct daemon_answer a = { 0 };
	struct err err = ERR_INIT;
	int status;

	if (daemon_ask(base, verb, c->session ? c->session : "", &a, &err))
		status = cli_error(&err);
	else
		status = show(c, &a);
	daemon_answer_release(&a);
	err_release(&err);
	return status;
}

/* --- options --- */

static int set_separator(const struct opt_use *u, struct err *err UNUSED)
{
	struct daemon_cmd *c = u->base;

	c->sep = u->unset ? NULL : cli_separator(u->arg);
	return 0;
}

static const struct option_def daemon_options[] = {
	OPT_STRING(0, "config", struct daemon_cmd, config, "config file",
		   "read only this configuration file"),
	OPT_STRING(0, "base", struct daemon_cmd, base, "directory",
		   "where the daemon works (default: daemon.base of the configuration)"),
	OPT_CALL_OPTARG_NO('x', "field-separator", "separator", ",", set_separator,
			   "list as fields with this between them"),
	OPT_SETTING_FIELD("daemon.base", OPT_KIND_STRING, struct daemon_cmd, base_of_files,
			  "directory"),
	OPT_END
};
static const struct option_def start_options[] = {
	OPT_FLAG('f', "foreground", struct daemon_cmd, foreground, "do not go to the background"),
	OPT_END
};
static const struct option_def session_options[] = {
	OPT_STRING(0, "session", struct daemon_cmd, session, "session",
		   "only this session (default: all)"),
	OPT_END
};

/* What the command's word does; NULL of it: start. */
struct verb {
	const char *name, *cmd_name;
	const struct option_def *options;
	int (*show)(const struct daemon_cmd *c, const struct daemon_answer *a);
};

static const struct option_def no_options[] = { OPT_END };
static const struct verb verbs[] = {
	{ "start", "daemon start", start_options, NULL },
	{ "stop", "daemon stop", no_options, show_nothing },
	{ "signal", "daemon signal", session_options, show_signals },
	{ "ping", "daemon ping", session_options, show_pings },
};
static const struct verb list = { "list", "daemon", no_options, show_list };

static int run(const struct daemon_cmd *c, const struct verb *v)
{
	struct daemon_config config = { 0 };
	struct err err = ERR_INIT;
	char *base = NULL;
	int ret = daemon_config_init(&config, c->config, &err), status;

	if (!ret)
		ret = daemon_config_base(&config, c, &base, &err);
	if (ret)
		status = cli_error(&err);
	else
		status = v->show ? ask(c, base, v->name, v->show) : start(c, &config, base);
	free(base);
	daemon_config_release(&config);
	err_release(&err);
	return status;
}

static const struct verb *find_verb(const char *beginning)
{
	const struct verb *v = verbs;

	while (strncmp(v->name, beginning, strlen(beginning)))	/* cli_run_sub() found it */
		v++;
	return v;
}

static int run_verb(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "[<options>]", NULL };
	struct daemon_cmd *c = ctx;
	const struct verb *v = find_verb(argv[0]);
	const struct option_table tables[] = { { v->options, c }, { daemon_options, c },
					       cli_common_group(&c->common), { 0 } };
	const struct cli_cmd cmd = { .name = v->cmd_name, .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : run(c, v);
}

static const struct cli_sub subs[] = {
	{ "start", run_verb }, { "stop", run_verb }, { "signal", run_verb }, { "ping", run_verb },
	{ NULL, NULL }
};

int cmd_daemon(int argc, const char **argv)
{
	static const char *const words[] = { "start", "stop", "signal", "ping", NULL };
	const char *const usage[] = { "[<options>] [{start|stop|signal|ping}]", NULL };
	struct daemon_cmd c = { 0 };
	const struct option_table tables[] = { { daemon_options, &c },
					       cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "daemon", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	return n ? cli_run_sub(&cmd, subs, n, argv, &c) : run(&c, &list);
}
