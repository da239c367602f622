// SPDX-License-Identifier: GPL-2.0-or-later
// perf ftrace: calls of kernel functions, how long they took, and which took longest, by the
// kernel's own tracer.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "builtin-ftrace.h"
#include "util/base/words.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/os/os.h"
#include "util/view/draw.h"
#include "util/view/ftrace-text.h"

/* --- trace */

static int list_functions(const char *pattern, struct err *err)
{
	struct os os;
	struct str s = STR_INIT;
	char *save = NULL;
	int ret;

	os_init(&os);
	ret = os_tracefs(&os, err);
	if (!ret)
		ret = os_read_file(&os, "tracing:available_filter_functions", &s, err);
	if (!ret && s.buf) {
		cli_pager_start();
		for (char *name = strtok_r(s.buf, "\n", &save); name;
		     name = strtok_r(NULL, "\n", &save)) {
			const size_t len = strcspn(name, " ");
			char *bare = xasprintf("%.*s", (int)len, name);

			if (!pattern || glob_match(bare, pattern))
				puts(name);
			free(bare);
		}
	}
	str_release(&s);
	os_release(&os);
	return ret;
}

static void print_text(void *ctx UNUSED, const char *text, size_t len)
{
	fwrite(text, 1, len, stdout);
	fflush(stdout);
}

static const char *choose_tracer(const struct ftrace_cmd *c)
{
	if (c->graph.n || c->nograph.n)
		return "function_graph";
	if (c->tracer)
		return c->tracer;
	if (c->funcs.n || c->notrace.n)
		return "function";
	return c->usual_tracer ? c->usual_tracer : "function_graph";
}

static int run_trace(struct ftrace_opts *c, const char **argv)
{
	struct ftrace_reader reader = { .take = print_text };
	struct err err = ERR_INIT;
	int ret;

	if (c->list)
		ret = list_functions(c->pattern, &err);
	else
		ret = ftrace_run(&c->run, choose_tracer(&c->run), argv, &reader, &err);
	return ftrace_finish(c, ret, reader.n_lost, &err);
}

static int ftrace_trace(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	struct ftrace_opts *c = in;
	const struct option_table tables[] = {
		{ ftrace_trace_options, c }, { ftrace_filter_options, c },
		{ ftrace_buffer_options, c },
		{ ftrace_target_options, c }, cli_common_group(&c->run.common), { 0 } };
	const struct cli_cmd cmd = { .name = "ftrace trace", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	const int ret = cli_parse(&cmd, argc, argv);

	return ret < 0 ? cli_status(ret) : run_trace(c, argv);
}

/* --- profile and latency */

static void write_out(struct str *out)
{
	cli_page(out);
	str_release(out);
}

static int ftrace_profile(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	struct ftrace_opts *c = in;
	const struct option_table tables[] = {
		{ ftrace_profile_options, c }, { ftrace_filter_options, c },
		{ ftrace_buffer_options, c },
		{ ftrace_target_options, c }, cli_output_group(&c->data),
		cli_common_group(&c->run.common), { 0 } };
	const struct cli_cmd cmd = { .name = "ftrace profile", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct ftrace_model *m = NULL;
	struct err err = ERR_INIT;
	struct table t = { 0 };
	struct str out = STR_INIT;
	u64 n_lost = 0;
	int key = 0, ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	if (c->sort)
		key = word_index(ftrace_key_names, FTRACE_N_KEYS, c->sort, strlen(c->sort));
	if (key < 0)
		return cli_errorf("--sort: there is no key '%s': they are total, avg, max, count "
				  "and name", c->sort);
	m = ftrace_model_new(&(struct latency_buckets){ .unit_ns = 1000 });
	ret = ftrace_measure(c, argv, m, &n_lost, &err);
	if (!ret) {
		ftrace_model_profile(m, (enum ftrace_key)key, &t);
		if (table_output_data(&c->data))
			draw_only_table(&out, &t, &c->data);
		else
			ftrace_add_profile(&out, &t);
		write_out(&out);
	}
	table_release(&t);
	ftrace_model_free(m);
	return ftrace_finish(c, ret, n_lost, &err);
}

int cmd_ftrace(int argc, const char **argv)
{
	static const struct cli_sub subs[] = { { "trace", ftrace_trace },
					       { "latency", ftrace_latency },
					       { "profile", ftrace_profile }, { NULL, NULL } };
	static const char *const words[] = { "trace", "latency", "profile", NULL };
	const char *const usage[] = { "[<options>] [<command>]",
				      "{trace|latency|profile} [<options>] [<command>]", NULL };
	struct ftrace_opts c = { .range = 0 };
	const struct option_table tables[] = {
		{ ftrace_trace_options, &c }, { ftrace_filter_options, &c },
		{ ftrace_buffer_options, &c },
		{ ftrace_target_options, &c }, cli_common_group(&c.run.common), { 0 } };
	const struct cli_cmd cmd = { .name = "ftrace", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (n > 0 && word_index(words, ARRAY_SIZE(words) - 1, argv[0], strlen(argv[0])) >= 0)
		return cli_run_sub(&cmd, subs, n, argv, &c);
	return run_trace(&c, argv);
}
