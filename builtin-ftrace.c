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

struct cmd {
	struct ftrace_cmd run;
	struct table_output data;
	bool list;
	const char *pattern;		/* -F */
	bool nsec, hide_empty, bpf, percentiles;
	const char *events, *sort;
	u64 range, min, max;		/* of the histogram, in its unit */
};

/* --- options */

static int set_list(const struct opt_use *u, struct err *err UNUSED)
{
	struct cmd *c = u->base;

	c->list = true;
	c->pattern = u->arg && *u->arg ? u->arg : NULL;
	return 0;
}

static bool is_pattern(const char *word) { return *word != '-'; }

static int set_func_opts(const struct opt_use *u, struct err *err)
{
	static const char *const names[] = { "call-graph", "irq-info" };
	struct cmd *c = u->base;
	word_list words = { NULL, 0, 0 };
	int ret = 0;

	words_split(u->arg, &words);
	for vec_each(w, &words) {
		const int i = word_index(names, ARRAY_SIZE(names), *w, strlen(*w));

		if (i < 0)
			ret = err_set(err, EINVAL, "there is no option '%s': they are call-graph "
				      "and irq-info", *w);
		else
			*(i ? &c->run.irq_info : &c->run.call_graph) = true;
	}
	words_release(&words);
	return ret;
}

static int set_graph_opt(struct ftrace_graph_opts *g, const char *word, struct err *err)
{
	const struct { const char *name; bool *on; u64 *n; } opts[] = {
		{ "args", &g->args, NULL }, { "retval", &g->retval, NULL },
		{ "retval-hex", &g->retval_hex, NULL }, { "retaddr", &g->retaddr, NULL },
		{ "nosleep-time", &g->nosleep_time, NULL }, { "noirqs", &g->noirqs, NULL },
		{ "verbose", &g->verbose, NULL }, { "tail", &g->tail, NULL },
		{ "thresh", NULL, &g->thresh_us }, { "depth", NULL, &g->depth },
	};
	const size_t len = strcspn(word, "=");

	for (size_t i = 0; i < ARRAY_SIZE(opts); i++) {
		if (strlen(opts[i].name) != len || memcmp(opts[i].name, word, len))
			continue;
		if (opts[i].on && !word[len])
			*opts[i].on = true;
		else if (!opts[i].n || !word[len] || !parse_u64(word + len + 1, opts[i].n))
			return err_set(err, EINVAL, "'%s': %s", word, opts[i].n ?
				       "a number is missing (depth=3)" : "it takes no value");
		return 0;
	}
	err_set(err, EINVAL, "there is no option '%s'", word);
	err_hint(err, "they are: args, retval, retval-hex, retaddr, nosleep-time, noirqs, verbose, "
		 "tail, thresh=<n>, depth=<n>");
	return -EINVAL;
}

static int set_graph_opts(const struct opt_use *u, struct err *err)
{
	struct cmd *c = u->base;
	word_list words = { NULL, 0, 0 };
	int ret = 0;

	words_split(u->arg, &words);
	for (size_t i = 0; i < words.n && !ret; i++)
		ret = set_graph_opt(&c->run.graph_opts, words.v[i], err);
	words_release(&words);
	return ret;
}

static const struct option_def target_options[] = {
	OPT_FLAG('a', "all-cpus", struct cmd, run.target.system_wide, "all processes on all CPUs"),
	OPT_STRING('C', "cpu", struct cmd, run.target.cpu_list, "cpu",
		   "only on these CPUs (0-3,8)"),
	OPT_STRING('p', "pid", struct cmd, run.target.pid, "pid", "only these processes, by id"),
	OPT_STRING(0, "tid", struct cmd, run.target.tid, "tid", "only these threads, by id"),
	OPT_END
};

static const struct option_def buffer_options[] = {
	OPT_SIZE('m', "buffer-size", struct cmd, run.buffer_bytes, "size",
		 "the kernel's buffer of each CPU (8M)"),
	OPT_END
};

static const struct option_def filter_options[] = {
	OPT_LIST('T', "trace-funcs", struct cmd, run.funcs, "func",
		 "only these functions (or patterns, 'vfs_*'); may be given several times"),
	OPT_LIST('N', "notrace-funcs", struct cmd, run.notrace, "func", "not these functions"),
	OPT_LIST('G', "graph-funcs", struct cmd, run.graph, "func",
		 "these functions and what they call"),
	OPT_LIST('g', "nograph-funcs", struct cmd, run.nograph, "func",
		 "not these functions and what they call"),
	OPT_CALL(0, "graph-opts", "options", set_graph_opts,
		 "of the tracer function_graph: args, retval, retval-hex, retaddr, nosleep-time,\n"
		 "noirqs, verbose, tail, thresh=<us>, depth=<n>"),
	OPT_END
};

static const struct option_def trace_options[] = {
	OPT_STRING('t', "tracer", struct cmd, run.tracer, "tracer",
		   "function_graph (default) or function; -T and -N alone mean function"),
	OPT_DEF('F', "funcs", CALL,
		"list the functions that can be traced (that match a pattern), and end",
		.flags = OPT_OPTARG, .takes_next = is_pattern, .arg = "FILTER", .dflt = "",
		.call = set_list),
	OPT_CALL(0, "func-opts", "options", set_func_opts,
		 "of the tracer function: call-graph, irq-info"),
	OPT_FLAG(0, "inherit", struct cmd, run.inherit, "also processes that the command starts"),
	OPT_U64('D', "delay", struct cmd, run.delay_ms, "ms",
		"begin so many milliseconds after the command"),
	OPT_END
};

static const struct option_def latency_options[] = {
	OPT_LIST('T', "trace-funcs", struct cmd, run.funcs, "func", "the function"),
	OPT_STRING('e', "events", struct cmd, events, "event1,event2",
		   "the time between two events: not in this perf yet"),
	OPT_FLAG('b', "use-bpf", struct cmd, bpf, "measure with BPF: not in this perf yet"),
	OPT_FLAG('n', "use-nsec", struct cmd, nsec, "the histogram is in nanoseconds"),
	OPT_U64(0, "bucket-range", struct cmd, range, "n",
		"steps of so many microseconds (-n: nanoseconds) instead of powers of two"),
	OPT_U64(0, "min-latency", struct cmd, min, "n",
		"with --bucket-range: the first begins here"),
	OPT_U64(0, "max-latency", struct cmd, max, "n",
		"with --bucket-range: the last begins here"),
	OPT_FLAG(0, "hide-empty", struct cmd, hide_empty, "leave empty steps out"),
	OPT_FLAG(0, "percentiles", struct cmd, percentiles, "also the 50th to 99.9th percentile"),
	OPT_END
};

static const struct option_def profile_options[] = {
	OPT_STRING('s', "sort", struct cmd, sort, "key",
		   "total (default), avg, max, count or name"),
	OPT_END
};

/* --- what is common */

static int finish(struct cmd *c, int ret, u64 n_lost, struct err *err)
{
	if (ret)
		ret = cli_error(err);
	if (n_lost)
		cli_warn("%llu events were overwritten before they were read: a larger buffer "
			 "(-m 32M) or fewer functions (-T, -G) help", (unsigned long long)n_lost);
	err_release(err);
	vec_free(&c->run.funcs);
	vec_free(&c->run.notrace);
	vec_free(&c->run.graph);
	vec_free(&c->run.nograph);
	return ret;
}

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
	return c->funcs.n || c->notrace.n ? "function" : "function_graph";
}

static int run_trace(struct cmd *c, const char **argv)
{
	struct ftrace_reader reader = { .take = print_text };
	struct err err = ERR_INIT;
	int ret;

	if (c->list)
		ret = list_functions(c->pattern, &err);
	else
		ret = ftrace_run(&c->run, choose_tracer(&c->run), argv, &reader, &err);
	return finish(c, ret, reader.n_lost, &err);
}

static int ftrace_trace(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	struct cmd *c = in;
	const struct option_table tables[] = {
		{ trace_options, c }, { filter_options, c }, { buffer_options, c },
		{ target_options, c }, cli_common_group(&c->run.common), { 0 } };
	const struct cli_cmd cmd = { .name = "ftrace trace", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	const int ret = cli_parse(&cmd, argc, argv);

	return ret < 0 ? cli_status(ret) : run_trace(c, argv);
}

/* --- profile and latency */

struct lines { struct ftrace_model *model; struct str rest; };

static void take_lines(void *ctx, const char *text, size_t len)
{
	struct lines *l = ctx;

	for (size_t n; len; text += n, len -= n) {
		const char *end = memchr(text, '\n', len);

		n = end ? (size_t)(end - text) + 1 : len;
		str_addn(&l->rest, text, end ? n - 1 : n);
		if (!end)
			continue;
		ftrace_model_line(l->model, str_cstr(&l->rest), l->rest.len);
		str_reset(&l->rest);
	}
}

static int measure(struct cmd *c, const char **argv, struct lines *l, u64 *n_lost, struct err *err)
{
	struct ftrace_reader reader = { .take = take_lines, .ctx = l };
	int ret;

	c->run.graph_opts.tail = true;
	ret = ftrace_run(&c->run, "function_graph", argv, &reader, err);
	*n_lost = reader.n_lost;
	str_release(&l->rest);
	return ret;
}

static void write_out(struct str *out)
{
	cli_page(out);
	str_release(out);
}

static int ftrace_profile(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	struct cmd *c = in;
	const struct option_table tables[] = {
		{ profile_options, c }, { filter_options, c }, { buffer_options, c },
		{ target_options, c }, cli_output_group(&c->data),
		cli_common_group(&c->run.common), { 0 } };
	const struct cli_cmd cmd = { .name = "ftrace profile", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct lines l = { .model = NULL };
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
	l.model = ftrace_model_new(&(struct ftrace_buckets){ .unit_ns = 1000 }, false);
	ret = measure(c, argv, &l, &n_lost, &err);
	if (!ret) {
		ftrace_model_profile(l.model, (enum ftrace_key)key, &t);
		if (table_output_data(&c->data))
			draw_only_table(&out, &t, &c->data);
		else
			ftrace_add_profile(&out, &t);
		write_out(&out);
	}
	table_release(&t);
	ftrace_model_free(l.model);
	return finish(c, ret, n_lost, &err);
}

static const double shares[] = { .5, .75, .9, .95, .99, .999 };

static void add_data(const struct cmd *c, struct ftrace_model *m, const struct ftrace_buckets *b,
		     struct str *out)
{
	static const char *const keys[] = { "count", "total_ns", "avg_ns", "min_ns", "max_ns",
					    "p50_ns", "p75_ns", "p90_ns", "p95_ns", "p99_ns",
					    "p999_ns" };
	enum { FIRST_SHARE = ARRAY_SIZE(keys) - ARRAY_SIZE(shares) };
	const struct ftrace_times *t = ftrace_model_times(m);
	u64 values[ARRAY_SIZE(keys)] = { t->n, t->total_ns, t->n ? t->total_ns / t->n : 0,
					 t->min_ns, t->max_ns };
	struct table facts = { 0 }, rows = { .key = "buckets" };
	struct draw d;
	u64 from, to;

	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		values[FIRST_SHARE + i] = ftrace_model_percentile_ns(m, shares[i]);
	table_set_facts(&facts, keys, values, ARRAY_SIZE(keys));
	table_add_column(&rows, "from_ns", "from_ns");
	table_add_column(&rows, "to_ns", "to_ns");
	table_add_column(&rows, "count", "count");
	for (int i = 0; i < FTRACE_BUCKETS && ftrace_bucket(b, i, &from, &to); i++) {
		struct cell *cell = table_add_row(&rows)->cells;

		cell[0] = cell_count(from * b->unit_ns);
		if (to)
			cell[1] = cell_count(to * b->unit_ns);
		cell[2] = cell_count(t->counts[i]);
	}
	draw_begin(&d, &(struct draw_opts){ .output = c->data }, out);
	draw_facts(&d, &facts);
	draw_table(&d, &rows);
	draw_end(&d);
	table_release(&facts);
	table_release(&rows);
}

static void show_latency(const struct cmd *c, struct ftrace_model *m,
			 const struct ftrace_buckets *b)
{
	struct str out = STR_INIT;

	if (table_output_data(&c->data)) {
		add_data(c, m, b, &out);
	} else {
		ftrace_add_histogram(&out, ftrace_model_times(m), b, c->hide_empty);
		ftrace_add_statistics(&out, ftrace_model_times(m), b->unit_ns);
		for (size_t i = 0; c->percentiles && i < ARRAY_SIZE(shares); i++)
			str_addf(&out, "  %9.4g%%: %20.3f\n", shares[i] * 100,
				 (double)ftrace_model_percentile_ns(m, shares[i]) /
				 (double)b->unit_ns);
	}
	write_out(&out);
}

static int check_latency(const struct cmd *c, struct err *err)
{
	if (c->bpf || c->events) {
		err_set(err, ENOTSUP, "perf ftrace latency measures by the kernel's tracer only: "
			"%s is not in this perf yet", c->events ? "-e" : "-b");
		err_hint(err, "%s", c->events ?
			 "'perf trace -e EVENT1,EVENT2' shows both with times" :
			 "without -b the tracer function_graph measures the function");
		return -ENOTSUP;
	}
	if (c->run.funcs.n != 1) {
		err_set(err, EINVAL, c->run.funcs.n ? "a histogram is of one function" :
			"which function is to be measured?");
		err_hint(err, "perf ftrace latency -T FUNCTION");
		return -EINVAL;
	}
	if (!c->range && (c->min || c->max))
		return err_set(err, EINVAL, "--min-latency and --max-latency need --bucket-range");
	if (c->max && c->max <= c->min)
		return err_set(err, EINVAL, "--max-latency is not above --min-latency");
	return 0;
}

static int ftrace_latency(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	struct cmd *c = in;
	const struct option_table tables[] = {
		{ latency_options, c }, { target_options, c }, cli_output_group(&c->data),
		cli_common_group(&c->run.common), { 0 } };
	const struct cli_cmd cmd = { .name = "ftrace latency", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct lines l = { .model = NULL };
	struct err err = ERR_INIT;
	struct ftrace_buckets b;
	u64 n_lost = 0;
	int ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	b = (struct ftrace_buckets){ .unit_ns = c->nsec ? 1 : 1000, .range = c->range,
				     .min = c->min, .max = c->max };
	ret = check_latency(c, &err);
	if (!ret) {
		l.model = ftrace_model_new(&b, c->percentiles || table_output_data(&c->data));
		ret = measure(c, argv, &l, &n_lost, &err);
	}
	if (!ret)
		show_latency(c, l.model, &b);
	ftrace_model_free(l.model);
	return finish(c, ret, n_lost, &err);
}

int cmd_ftrace(int argc, const char **argv)
{
	static const struct cli_sub subs[] = { { "trace", ftrace_trace },
					       { "latency", ftrace_latency },
					       { "profile", ftrace_profile }, { NULL, NULL } };
	static const char *const words[] = { "trace", "latency", "profile", NULL };
	const char *const usage[] = { "[<options>] [<command>]",
				      "{trace|latency|profile} [<options>] [<command>]", NULL };
	struct cmd c = { .range = 0 };
	const struct option_table tables[] = {
		{ trace_options, &c }, { filter_options, &c }, { buffer_options, &c },
		{ target_options, &c }, cli_common_group(&c.run.common), { 0 } };
	const struct cli_cmd cmd = { .name = "ftrace", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (n > 0 && word_index(words, ARRAY_SIZE(words) - 1, argv[0], strlen(argv[0])) >= 0)
		return cli_run_sub(&cmd, subs, n, argv, &c);
	return run_trace(&c, argv);
}
