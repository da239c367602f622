// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/io.h"
#include "util/cli/common.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"

enum ui { UI_AUTO, UI_STDIO, UI_TUI };

struct opts {
	bool all, inherit_off, children, samples_off, stdio_off;
	int freq, verbose, node, runs;
	enum ui ui;
	u64 bits, count, wait_ns, bytes;
	double limit;
	const char *output, *graph, *event_arg, *pre;
	opt_list events;
	int calls;
	bool unset;
};

static int on_event(const struct opt_use *u, struct err *err)
{
	struct opts *o = u->base;

	o->calls++;
	o->unset = u->unset;
	o->event_arg = u->arg;
	if (u->arg && !strcmp(u->arg, "bad"))
		return err_set(err, EINVAL, "event syntax error: 'bad'\n                     \\___ "
					    "parser error");
	return 0;
}

static bool is_graph(const char *word)
{
	return !strncmp(word, "dwarf", 5);
}

static const struct option_def defs[] = {
	OPT_FLAG('a', "all-cpus", struct opts, all, "all"),
	OPT_FLAG('i', "no-inherit", struct opts, inherit_off, "no inherit"),
	OPT_FLAG('n', "no-samples", struct opts, samples_off, "no samples"),
	OPT_FLAG(0, "children", struct opts, children, "children"),
	OPT_INT('F', "freq", struct opts, freq, "n", "freq"),
	OPT_INT('r', "repeat", struct opts, runs, "n", "runs"),
	OPT_STRING(0, "pre", struct opts, pre, "command", "before"),
	OPT_COUNT('v', "verbose", struct opts, verbose, "verbose"),
	OPT_CHOICE(0, "affinity", struct opts, node, "sys|node|cpu", "affinity"),
	OPT_SET(0, "stdio", struct opts, ui, UI_STDIO, "stdio"),
	OPT_SET(0, "tui", struct opts, ui, UI_TUI, "tui"),
	OPT_BIT('d', "data", struct opts, bits, 4, "data"),
	OPT_U64('c', "count", struct opts, count, "n", "count"),
	OPT_DURATION('I', "interval-print", struct opts, wait_ns, 1000000, "n", "interval\nin ms"),
	OPT_SIZE(0, "max-size", struct opts, bytes, "size", "size"),
	OPT_DOUBLE(0, "percent-limit", struct opts, limit, "percent", "limit"),
	OPT_STRING('o', "output", struct opts, output, "file", "output"),
	OPT_LIST('e', "event", struct opts, events, "event", "event"),
	OPT_CALL_NO(0, "filter", "filter", on_event, "filter"),
	OPT_CALL(0, "per-core", NULL, on_event, "per core"),
	OPT_CALL(0, "per-node", NULL, on_event, "per node"),
	{ .name = "call-graph", .short_name = 'g', .kind = OPT_KIND_STRING,
	  .flags = OPT_OPTARG | OPT_NONEG, .arg = "mode",
	  .off = OPT_OFF(struct opts, graph, const char *), .dflt = "fp", .takes_next = is_graph,
	  .help = "graph" },
	{ .name = "secret", .kind = OPT_KIND_FLAG, .flags = OPT_HIDDEN,
	  .off = OPT_OFF(struct opts, stdio_off, bool), .help = "x" },
	OPT_END
};

static const char *const usage[] = { "[<options>] [<command>]", "[<options>] -- <command>", NULL };

/* stderr and stdout of the test's process go to files, so that a text can be compared. */
static void capture(int fd, const char *name)
{
	char path[300];
	int to;

	snprintf(path, sizeof(path), "%s/%s", unit_tmpdir(), name);
	to = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	CHECK(to >= 0 && dup2(to, fd) == fd);
	close(to);
}

static void captured(const char *name, struct str *out)
{
	struct err err = ERR_INIT;
	char path[300];

	fflush(NULL);
	snprintf(path, sizeof(path), "%s/%s", unit_tmpdir(), name);
	str_reset(out);
	CHECK_EQ(io_read_file(path, 1 << 20, out, &err) < 0, 0);
}

struct run {
	const char *argv[32];
	int n;
	struct opts o;
};

/* words: separated by blanks; the strings live as long as the process. */
static void run_flags(struct run *r, const char *words, unsigned flags)
{
	const struct option_table tables[] = { { defs, &r->o }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "foo", .usage = usage, .tables = tables,
				     .flags = flags };
	char *copy = unit_keep(xstrdup(words)), *w;
	int argc = 0;

	memset(r, 0, sizeof(*r));
	r->o.runs = 7;
	r->o.pre = "own";
	r->argv[argc++] = "foo";
	while ((w = strsep(&copy, " ")))
		if (*w)
			r->argv[argc++] = w;
	r->n = cli_parse(&cmd, argc, r->argv);
	unit_keep(r->o.events.v);
}

static void run(struct run *r, const char *words)
{
	run_flags(r, words, 0);
}

TEST(spellings_of_arguments)
{
	static const char *const words[] = { "-o x", "-ox", "--output x", "--output=x", "--out=x",
					     "--ou x", "-output x",
					     "-output=x", "-ao x", "-aox" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		struct run r;

		run(&r, words[i]);
		CHECK_EQ(r.n, 0);
		CHECK_STR(r.o.output, "x");
		CHECK(!r.argv[0]);
	}
}

TEST(kinds)
{
	struct run r;

	run(&r, "-F 99 -c 0x10 -I 250 --interval-print=2s --max-size 64k --percent-limit 0.5 -d "
		"--affinity node -e a -e b --stdio");
	CHECK_EQ(r.n, 0);
	CHECK_EQ(r.o.freq, 99);
	CHECK_EQ(r.o.count, 16);
	CHECK_EQ(r.o.wait_ns, 2000000000ULL);
	CHECK_EQ(r.o.bytes, 65536);
	CHECK(r.o.limit == 0.5);
	CHECK_EQ(r.o.bits, 4);
	CHECK_EQ(r.o.node, 1);
	CHECK_EQ((int)r.o.ui, UI_STDIO);
	CHECK_EQ(r.o.events.n, 2);
	CHECK_STR(r.o.events.v[1], "b");
	run(&r, "-I 250");
	CHECK_EQ(r.o.wait_ns, 250000000ULL);
	run(&r, "-F -1");
	CHECK_EQ(r.o.freq, -1);
	vec_free(&r.o.events);
}

TEST(bundles_and_counts)
{
	struct run r;

	run(&r, "-avd -v --verbose");
	CHECK_EQ(r.n, 0);
	CHECK(r.o.all);
	CHECK_EQ(r.o.verbose, 3);
	CHECK_EQ(r.o.bits, 4);
	run(&r, "-vv --no-verbose");
	CHECK_EQ(r.o.verbose, 0);
}

TEST(negation)
{
	struct run r;

	run(&r, "--children --no-children");
	CHECK(!r.o.children);
	run(&r, "--no-inherit");
	CHECK(r.o.inherit_off);
	run(&r, "--no-inherit --inherit");
	CHECK(!r.o.inherit_off);
	run(&r, "--no-inh");
	CHECK(r.o.inherit_off);
	run(&r, "-i --inh");
	CHECK(!r.o.inherit_off);
	run(&r, "-o x -e y --no-output --no-event");
	CHECK(!r.o.output);
	CHECK_EQ(r.o.events.n, 0);
	run(&r, "-r 3 --pre=x");
	CHECK_EQ(r.o.runs, 3);
	CHECK_STR(r.o.pre, "x");
	run(&r, "-r 3 --pre=x --no-repeat --no-pre");	/* the command's own defaults */
	CHECK_EQ(r.o.runs, 7);
	CHECK_STR(r.o.pre, "own");
	run(&r, "-I 250 --max-size=3k -c 4 --percent-limit=3 --affinity node --no-interval-print "
		"--no-max-size --no-count "
	    "--no-percent-limit --no-affinity");
	CHECK_EQ(r.o.wait_ns | r.o.bytes | r.o.count, 0);
	CHECK(r.o.limit == 0 && r.o.node == 0);
	run(&r, "--no-chil");
	CHECK_EQ(r.n, 0);
	run(&r, "--no-filter");
	CHECK(r.o.unset);
	CHECK(!r.o.event_arg);
}

TEST(optional_arguments)
{
	struct run r;

	run(&r, "-g ls");
	CHECK_STR(r.o.graph, "fp");
	CHECK_EQ(r.n, 1);
	CHECK_STR(r.argv[0], "ls");
	run(&r, "-g dwarf,1024 ls");
	CHECK_STR(r.o.graph, "dwarf,1024");
	CHECK_EQ(r.n, 1);
	run(&r, "-gdwarf");
	CHECK_STR(r.o.graph, "dwarf");
	run(&r, "--call-graph=lbr");
	CHECK_STR(r.o.graph, "lbr");
	run(&r, "--call-graph dwarf x");
	CHECK_STR(r.o.graph, "dwarf");
	run(&r, "-ag");
	CHECK_STR(r.o.graph, "fp");
	CHECK(r.o.all);
}

TEST(where_options_end)
{
	struct run r;

	run_flags(&r, "-a ls -F 3", CLI_STOP_AT_NON_OPTION);
	CHECK_EQ(r.n, 3);
	CHECK_STR(r.argv[0], "ls");
	CHECK_STR(r.argv[1], "-F");
	CHECK(!r.argv[3]);
	run_flags(&r, "-a -- -F 3", CLI_STOP_AT_NON_OPTION);
	CHECK_EQ(r.n, 2);
	CHECK_STR(r.argv[0], "-F");
	run(&r, "one -a two -F 3 - -- -v");
	CHECK_EQ(r.n, 4);
	CHECK_STR(r.argv[1], "two");
	CHECK_STR(r.argv[2], "-");
	CHECK_STR(r.argv[3], "-v");
	CHECK_EQ(r.o.freq, 3);
	CHECK_EQ(r.o.verbose, 0);
}

TEST(single_dash_long_names)
{
	struct run r;

	run(&r, "-stdio -per-core");
	CHECK_EQ(r.n, 0);
	CHECK_EQ((int)r.o.ui, UI_STDIO);
	CHECK_EQ(r.o.calls, 1);
	run(&r, "-freq=7");
	CHECK_EQ(r.o.freq, 7);
	run(&r, "-no-children");
	CHECK_EQ(r.n, 0);
}

TEST(unknown_options_can_be_kept)
{
	struct run r;

	run_flags(&r, "-a --nosuch -Z x", CLI_KEEP_UNKNOWN);
	CHECK_EQ(r.n, 3);
	CHECK_STR(r.argv[0], "--nosuch");
	CHECK_STR(r.argv[1], "-Z");
	CHECK(r.o.all);
}

#define USAGE "\n Usage: perf foo [<options>] [<command>]\n" \
	      "    or: perf foo [<options>] -- <command>\n\n"

#define SEE " See 'perf foo -h' for the options.\n\n"

static void check_error(const char *words, const char *want, bool whole)
{
	struct str got = STR_INIT;
	struct run r;

	capture(STDERR_FILENO, "err");
	run(&r, words);
	CHECK_EQ(r.n, CLI_DONE(129));
	CHECK_EQ(cli_status(r.n), 129);
	captured("err", &got);
	if (!whole && got.len > strlen(want)) {
		got.len = strlen(want);
		got.buf[got.len] = 0;
	}
	CHECK_STR(str_cstr(&got), want);
	str_release(&got);
}

TEST(error_texts)
{
	check_error("--bogus", "Error: unknown option `bogus'\n" USAGE SEE, true);
	check_error("--affinty=x", "Error: unknown option `affinty'\nHint: did you mean "
				   "`--affinity'?\n" USAGE SEE, true);
	check_error("-aZ", "Error: unknown switch `Z'\n" USAGE SEE, true);
	check_error("-e", "Error: switch `e' requires a value"
		    USAGE "    -e, --event <event>   event\n\n", true);
	check_error("--event", "Error: option `event' requires a value"
		    USAGE "    -e, --event <event>   event\n\n", true);
	check_error("-F x", "Error: switch `F' expects a numerical value"
		    USAGE "    -F, --freq <n>        freq\n\n", true);
	check_error("--freq=99999999999999", "Error: option `freq' expects a numerical value" USAGE,
		    false);
	check_error("--children=3", "Error: option `children' takes no value"
		    USAGE "        --children        children\n\n", true);
	check_error("--no-children=3", "Error: option `no-children' takes no value" USAGE, false);
	check_error("--no-call-graph", "Error: option `no-call-graph' isn't available" USAGE
		    "    -g, --call-graph[=<mode>]\n                          graph\n\n", true);
	check_error("--no-per-core", "Error: option `no-per-core' isn't available" USAGE, false);
	check_error("--per-", "Error: ambiguous option: per- (could be --per-core or --per-node)\n"
		    USAGE
		    "        --per-core        per core\n        --per-node        per node\n",
		    false);
	check_error("--affinity=disk", "Error: option `affinity' expects one of the words below"
		    USAGE, false);
	check_error("--sec", "Error: unknown option `sec'\n", false);
	check_error("--filter bad", "event syntax error: 'bad'\n                     \\___ parser "
				    "error\n" USAGE
		    "        --filter <filter>\n                          filter\n\n", true);
	check_error("--\033[31mx", "Error: unknown option `\\x1b[31mx'\n", false);
}

TEST(help_text)
{
	struct str got = STR_INIT;
	struct run r;

	capture(STDOUT_FILENO, "out");
	run(&r, "-h per interval-print a");
	CHECK_EQ(r.n, CLI_DONE(0));
	captured("out", &got);
	CHECK_STR(str_cstr(&got), USAGE
		  "    -a, --all-cpus        all\n"
		  "    -I, --interval-print <n>\n"
		  "                          interval\n"
		  "                          in ms\n"
		  "        --affinity <sys|node|cpu>\n"
		  "                          affinity\n"
		  "        --per-core        per core\n"
		  "        --per-node        per node\n"
		  "        --percent-limit <percent>\n"
		  "                          limit\n\n");
	run(&r, "-h");
	captured("out", &got);
	CHECK(strstr(str_cstr(&got), "    -g, --call-graph[=<mode>]\n"));
	CHECK(!strstr(str_cstr(&got), "secret"));
	str_release(&got);
}

TEST(names_and_doc)
{
	static const struct option_def few[] = {
		OPT_FLAG('a', "all", struct opts, all, "all of it"),
		OPT_STRING('o', NULL, struct opts, output, "file", "where\nto"),
		OPT_END
	};
	const struct option_table tables[] = { { few, NULL }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "foo", .usage = usage, .tables = tables };
	struct str s = STR_INIT;

	cli_options_doc(&cmd, NULL, &s);
	CHECK_STR(str_cstr(&s), "-a::\n--all::\n\tall of it\n\n-o <file>::\n\twhere\n\tto\n\n");
	str_reset(&s);
	cli_options_doc(&cmd, "o al", &s);
	CHECK_STR(str_cstr(&s), "-o <file>::\n\twhere\n\tto\n\n");
	str_reset(&s);
	cli_options_doc(&cmd, "!o", &s);
	CHECK_STR(str_cstr(&s), "-a::\n--all::\n\tall of it\n\n");
	str_reset(&s);
	cli_options_names(&cmd, &s);
	CHECK_STR(str_cstr(&s), "--all \n");
	str_release(&s);
}

TEST(the_common_group)
{
	struct cli_common c = { 0 };
	struct opts o = { 0 };
	const struct option_def own[] = { OPT_FLAG('a', "all-cpus", struct opts, all, "all"),
					  OPT_END };
	const struct option_table tables[] = { { own, &o }, cli_common_group(&c), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "foo", .usage = usage, .tables = tables };
	const char *argv[] = { "foo", "-vqa", "-v", "x", "-v", "symbols=2", NULL };

	CHECK_EQ(cli_parse(&cmd, 6, argv), 1);
	CHECK_EQ(c.verbose, 2);
	CHECK(c.quiet);
	CHECK(o.all);
	CHECK_STR(argv[0], "x");
}

TEST(the_first_table_wins)
{
	static const struct option_def first[] =
		{ OPT_STRING('v', "all-cpus", struct opts, output, "file", "mine"), OPT_END };
	struct opts a = { 0 }, b = { 0 };
	const struct option_table tables[] = { { first, &a }, { defs, &b }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "foo", .usage = usage, .tables = tables };
	const char *argv[] = { "foo", "-v", "x", "--verbose", "--all-cpus", "y", NULL };
	struct str s = STR_INIT;

	CHECK_EQ(cli_parse(&cmd, 6, argv), 0);
	CHECK_STR(a.output, "y");
	CHECK_EQ(b.verbose, 1);
	CHECK(!b.all);
	cli_options_text(&cmd, NULL, 0, &s);
	CHECK(strstr(str_cstr(&s), "    -v, --all-cpus <file>\n                          mine\n"));
	CHECK(strstr(str_cstr(&s), "        --verbose         verbose\n"));
	CHECK(!strstr(str_cstr(&s), "-a, "));
	str_release(&s);
}

TEST(shared_groups)
{
	struct target t = { 0 };
	struct stream_opts o = { 0 };
	const struct option_table tables[] = { cli_target_group(&t), cli_symbols_group(&o.symbols),
					       cli_filter_group(&o.filter),
					       cli_stream_group(&o), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "foo", .usage = usage, .tables = tables };
	const char *argv[] = { "foo", "-ap", "12", "-k", "/proc/self/maps", "--comms=a,b", "-S",
			       "s", "--time", "1,2",
			       "--no-inline", "--jobs=3", "--no-demangle", "--debuginfod=http://x",
			       "-m", NULL };

	CHECK_EQ(cli_parse(&cmd, 15, argv), 0);
	CHECK(t.system_wide);
	CHECK_STR(t.pid, "12");
	CHECK_STR(o.symbols.vmlinux, "/proc/self/maps");
	CHECK_STR(o.filter.comms, "a,b");
	CHECK_STR(o.filter.symbols, "s");
	CHECK_STR(o.filter.time, "1,2");
	CHECK(o.no_inline);
	CHECK_EQ(o.threads, 3);
	CHECK(o.symbols.no_demangle);
	CHECK_STR(o.symbols.debuginfod_urls, "http://x");
}

static int run_latency(int argc, const char **argv, void *ctx)
{
	*(int *)ctx = argc;
	CHECK_STR(argv[0], "latency");
	return 7;
}

static int run_other(int argc, const char **argv, void *ctx)
{
	(void)argc;
	(void)argv;
	(void)ctx;
	return 8;
}

static const struct cli_sub subs[] = { { "record", run_other }, { "latency", run_latency },
				       { "replay", run_other }, { NULL, NULL } };

static int run_sub(const char *word, int *ctx)
{
	const struct option_table tables[] = { { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "sched", .usage = usage, .tables = tables };
	const char *argv[] = { word, "x", NULL };

	return cli_run_sub(&cmd, subs, word ? 2 : 0, argv, ctx);
}

TEST(sub_commands)
{
	struct str got = STR_INIT;
	int argc = 0;

	CHECK_EQ(run_sub("latency", &argc), 7);
	CHECK_EQ(argc, 2);
	CHECK_EQ(run_sub("lat", &argc), 7);
	CHECK_EQ(run_sub("rec", &argc), 8);
	capture(STDERR_FILENO, "err");
	CHECK_EQ(run_sub("la", &argc), 129);
	CHECK_EQ(run_sub("latencx", &argc), 129);
	CHECK_EQ(run_sub(NULL, &argc), 129);
	captured("err", &got);
	CHECK(strstr(str_cstr(&got), "Error: perf sched has no 'latencx'; did you mean "
				     "'latency'?\n\n Usage: perf sched "));
	str_release(&got);
}
