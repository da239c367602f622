// SPDX-License-Identifier: GPL-2.0-or-later
// perf bench: small programs that measure the kernel, the C library and perf itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-bench.h"
#include "builtin.h"
#include "util/cli/common.h"
#include "util/cli/error.h"

struct bench_opts { struct cli_common common; int simple, repeat; };

static const struct option_def bench_options[] = {
	OPT_CHOICE('f', "format", struct bench_opts, simple, "default|simple",
		   "simple: only the figure, for scripts"),
	OPT_INT('r', "repeat", struct bench_opts, repeat, "n",
		"runs of the suites that have several (default 10)"),
	OPT_END
};

static void list_collections(void)
{
	printf("Usage: \n\tperf bench [<common options>] <collection> <benchmark> [<options>]\n\n"
	       "        # List of all available benchmark collections:\n\n");
	for (const struct bench_collection *c = bench_collections; c->name; c++)
		printf("%14s: %s\n", c->name, c->help);
	printf("%14s: %s\n\n", "all", "All benchmarks");
}

static void list_suites(const struct bench_collection *c)
{
	printf("\n        # List of available benchmarks for collection '%s':\n\n", c->name);
	for (const struct bench_suite *s = c->suites; s->name; s++)
		printf("%14s: %s\n", s->name, s->help);
	if (c->all)
		printf("%14s: %s\n", "all", c->all);
	printf("\n");
}

/* What other tools see of a suite is its name, as upstream perf has it. */
static int run_suite(struct bench *b, const char *collection, const struct bench_suite *s,
		     const void *opts)
{
	struct err err = ERR_INIT;
	int ret;

	bench_name_task(collection, s->name);
	ret = s->run(b, opts, &err);
	fflush(stdout);
	if (ret)
		ret = cli_error(&err);
	err_release(&err);
	return ret;
}

/* All of a collection, or (c NULL) all that there are, with their default options. */
static int run_all(struct bench *b, const struct bench_collection *only)
{
	int status = 0;

	for (const struct bench_collection *c = bench_collections; c->name; c++)
		for (const struct bench_suite *s = c->suites; s->name; s++) {
			if (only && c != only)
				break;
			printf("# Running %s/%s benchmark...\n", c->name, s->name);
			status = run_suite(b, c->name, s, s->defaults) ? CLI_FAILED : status;
			printf("\n");
		}
	return status;
}

/* perf bench COLLECTION SUITE [<options>]; argv[0] is the suite's name */
static int run_one(struct bench *b, const struct bench_collection *c, const struct bench_suite *s,
		   int argc, const char **argv)
{
	static const char *const usage[] = { "<options>", NULL };
	struct cli_common common = { 0 };
	void *opts = xzalloc(s->size);
	const struct option_table tables[] =
		{ { s->options, opts }, cli_common_group(&common), { 0 } };
	char *name = xasprintf("bench %s", s->usage);
	const struct cli_cmd cmd = { .name = name, .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	int n;

	memcpy(opts, s->defaults, s->size);
	n = cli_parse(&cmd, argc, argv);
	if (n < 0) {
		n = cli_status(n);
	} else {
		b->verbose = common.verbose > 0;
		b->quiet = common.quiet;
		if (!b->simple)
			printf("# Running '%s/%s' benchmark:\n", c->name, s->name);
		n = run_suite(b, c->name, s, opts);
	}
	free(name);
	free(opts);
	return n;
}

/* Of upstream perf, and not here. */
static const struct { const char *collection, *name, *instead; } absent[] = {
	{ "numa", "", "perf bench mem measures memory, numactl(8) where it lies" },
	{ "internals", "inject-build-id",
	  "perf inject -b on a recording of yours tells, with time(1)" },
	{ "uprobe", "", "perf probe sets one, and perf stat -e probe_libc:usleep counts it" },
};

static int unknown(const struct cli_cmd *cmd, const struct bench_collection *c, const char *name)
{
	const char *collection = c ? c->name : name;

	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		if (!strcmp(collection, absent[i].collection) &&
		    (!*absent[i].name || !strcmp(name, absent[i].name)))
			return cli_usage_error(cmd, "no benchmark '%s' here: %s", name,
					       absent[i].instead);
	if (!c)
		return cli_usage_error(cmd, "unknown collection: '%s'; perf bench lists them",
				       name);
	return cli_usage_error(cmd, "unknown benchmark: '%s' for collection '%s'; perf bench %s "
				    "lists them", name, c->name, c->name);
}

/* perf bench [COLLECTION] all: each benchmark with its own options, c NULL: of all collections */
static int run_all_words(struct bench *b, const struct bench_collection *c, int argc,
			 const char **argv)
{
	static const char *const usage[] = { "", NULL };
	struct cli_common common = { 0 };
	const struct option_table tables[] = { cli_common_group(&common), { 0 } };
	char *name = c ? xasprintf("bench %s all", c->name) : xstrdup("bench all");
	const struct cli_cmd cmd = { .name = name, .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	const int n = cli_parse(&cmd, argc, argv);
	const int ret = n < 0 ? cli_status(n) : run_all(b, c);

	free(name);
	return ret;
}

#define MOST_SUITES 8

/* perf bench COLLECTION [SUITE ...]; argv[0] is the collection's name */
static int run_collection(struct bench *b, const struct bench_collection *c, int argc,
			  const char **argv)
{
	static const char *const usage[] = { "[<benchmark> [<options>]]", NULL };
	const char *words[MOST_SUITES + 2] = { NULL };
	struct cli_common common = { 0 };
	const struct option_table tables[] = { cli_common_group(&common), { 0 } };
	char *name = xasprintf("bench %s", c->name);
	const struct cli_cmd cmd = { .name = name, .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const struct bench_suite *s;
	size_t n_words = 0;
	int n;

	for (s = c->suites; s->name && n_words < MOST_SUITES; s++)
		words[n_words++] = s->name;
	if (c->all)
		words[n_words] = "all";
	n = cli_parse(&cmd, argc, argv);
	for (s = c->suites; n > 0 && s->name && strcmp(s->name, argv[0]); s++)
		;
	if (n < 0)
		n = cli_status(n);
	else if (!n)
		list_suites(c);
	else if (c->all && !strcmp(argv[0], "all"))
		n = run_all_words(b, c, n, argv);
	else
		n = s->name ? run_one(b, c, s, n, argv) : unknown(&cmd, c, argv[0]);
	free(name);
	return n;
}

static int run_words(const struct cli_cmd *cmd, struct bench *b, int n, const char **argv)
{
	const struct bench_collection *c = bench_collections;

	if (!n) {
		list_collections();
		return 0;
	}
	if (!strcmp(argv[0], "all"))
		return run_all_words(b, NULL, n, argv);
	while (c->name && strcmp(c->name, argv[0]))
		c++;
	return c->name ? run_collection(b, c, n, argv) : unknown(cmd, NULL, argv[0]);
}

int cmd_bench(int argc, const char **argv)
{
	static const char *const usage[] =
		{ "[<common options>] <collection> <benchmark> [<options>]", NULL };
	static const char *const words[] = { "sched", "syscall", "mem", "futex", "epoll",
					     "internals", "breakpoint", "uprobe", "all", NULL };
	struct bench_opts o = { .repeat = BENCH_REPEAT };
	const struct option_table tables[] =
		{ { bench_options, &o }, cli_common_group(&o.common), { 0 } };
	const struct cli_cmd cmd = { .name = "bench", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	struct bench b = { .out = stdout };
	struct os os;
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (o.repeat < 1)
		return cli_usage_error_opt(&cmd, "repeat",
					   "--repeat %d: at least one run is needed", o.repeat);
	os_init(&os);
	b.os = &os;
	b.simple = o.simple == 1;
	b.repeat = o.repeat;
	n = run_words(&cmd, &b, n, argv);
	os_release(&os);
	return n;
}
