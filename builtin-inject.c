// SPDX-License-Identifier: GPL-2.0-or-later
// perf inject: a recording rewritten with what it lacks: build-ids, and the code of JIT compilers.
#include <stdio.h>
#include <unistd.h>

#include "builtin.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/inject/inject.h"
#include "util/session/session.h"

struct inject_cmd {
	struct inject_opts in;
	struct cli_common common;
	const char *itrace, *guest_data, *vm_time;
	bool strip, sched_stat, aslr, convert_callchain;
};

#define FLAG(short_name, long_name, member, help) OPT_FLAG(short_name, long_name, struct inject_cmd, member, help)

static const struct option_def inject_options[] = {
	FLAG('b', "build-ids", in.build_ids,
	     "Inject the build-ids of the binaries that samples hit into the output"),
	FLAG(0, "buildid-all", in.buildid_all,
	     "Inject the build-ids of all binaries that are mapped"),
	FLAG('B', "mmap2-buildids", in.mmap2_ids,
	     "Write the build-ids into the records of mappings (MMAP2), and drop those of files "
	     "without samples"),
	FLAG(0, "mmap2-buildid-all", in.mmap2_all,
	     "Write the build-ids into the records of all mappings (MMAP2)"),
	OPT_STRING('i', "input", struct inject_cmd, in.input, "file",
		   "input file name (default: standard input)"),
	OPT_STRING('o', "output", struct inject_cmd, in.output, "file",
		   "output file name (default: standard output)"),
	FLAG('j', "jit", in.jit, "merge jitdump files into perf.data file"),
	FLAG('f', "force", in.force, "don't complain, do it"),
	FLAG('s', "sched-stat", sched_stat, "Merge sched-stat and sched-switch (not supported: see "
					    "perf sched timehist)"),
	OPT_STRING(0, "itrace", struct inject_cmd, itrace, "opts",
		   "Instruction tracing options (not supported)"),
	FLAG(0, "strip", strip, "strip non-synthesized events, with --itrace (not supported)"),
	FLAG(0, "aslr", aslr, "Remap virtual memory addresses (not supported)"),
	FLAG(0, "convert-callchain", convert_callchain,
	     "Turn DWARF stacks into call chains (not supported: perf record does it)"),
	OPT_STRING(0, "guest-data", struct inject_cmd, guest_data, "opts",
		   "inject events of a guest's perf.data (not supported)"),
	OPT_STRING(0, "vm-time-correlation", struct inject_cmd, vm_time, "opts",
		   "correlate a guest's times (not supported)"),
	OPT_END
};

static void say(void *ctx, enum inject_say kind, const char *text)
{
	const struct inject_cmd *c = ctx;
	struct str s = STR_INIT;

	if (kind != INJECT_DETAIL) {
		cli_warn("%s", text);
	} else if (c->common.verbose > 0) {
		str_add_safe(&s, text);
		fprintf(stderr, "%s\n", str_cstr(&s));
	}
	str_release(&s);
}

static const char *unsupported(const struct inject_cmd *c, const char **hint)
{
	const struct { bool asked; const char *name, *hint; } no[] = {
		{ c->itrace, "--itrace", "hardware traces are not decoded" },
		{ c->strip, "--strip", "it belongs to --itrace: hardware traces are not decoded" },
		{ c->sched_stat, "--sched-stat", "'perf sched timehist' shows where and how long "
						 "tasks slept" },
		{ c->aslr, "--aslr", NULL },
		{ c->convert_callchain, "--convert-callchain",
		  "'perf record --call-graph dwarf' writes call chains to begin with" },
		{ c->guest_data, "--guest-data", NULL },
		{ c->vm_time, "--vm-time-correlation", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (no[i].asked) {
			*hint = no[i].hint;
			return no[i].name;
		}
	return NULL;
}

static void tell(const struct inject_cmd *c, const struct inject_result *res)
{
	if (res->n_bad)
		cli_warn("%llu records of jitdump files are damaged or unknown, and were left out",
			 (unsigned long long)res->n_bad);
	if (c->common.verbose <= 0)
		return;
	fprintf(stderr, "%llu records copied, %llu build-ids, %llu pieces of code loaded and %llu "
			"moved in %llu jitdump files\n",
		(unsigned long long)res->n_records, (unsigned long long)res->n_build_ids,
		(unsigned long long)res->n_loads,
		(unsigned long long)res->n_moves, (unsigned long long)res->n_dumps);
}

static int check_ends(const struct cli_cmd *cmd, const struct inject_opts *o)
{
	if (!strcmp(o->input, "-") && isatty(STDIN_FILENO))
		return cli_usage_error(cmd, "nothing comes from the terminal: name the recording "
					    "with -i, or pipe it in");
	if (!strcmp(o->output, "-") && isatty(STDOUT_FILENO))
		return cli_usage_error(cmd, "a recording cannot be written to a terminal: name a "
					    "file with -o, or a pipe");
	return 0;
}

int cmd_inject(int argc, const char **argv)
{
	struct inject_cmd c = { .in = { .input = "-", .output = "-", .say = say, .say_ctx = &c } };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] =
		{ { inject_options, &c }, cli_symbols_group(&c.in.symbols),
					       session_group(), cli_common_group(&c.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "inject", .usage = usage, .tables = tables };
	struct inject_result res = { 0 };
	const char *name, *hint = NULL;
	struct session s = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	if (n)
		return cli_usage_error(&cmd, "'%s': inject takes no arguments; files are named by "
					     "-i and -o", argv[0]);
	name = unsupported(&c, &hint);
	if (name) {
		ret = cli_errorf("%s is not supported%s%s", name, hint ? ": " : "", hint ? hint :
				 "");
		return ret;
	}
	ret = check_ends(&cmd, &c.in);
	if (ret)
		return ret;
	c.in.stats = &s.counted;
	ret = session_open(&s, &(struct session_opts){ .path = c.in.input, .force = c.in.force,
						       .quiet = c.common.quiet });
	if (!ret)
		ret = inject_run(&c.in, s.source, &s.os, &res, &s.err);
	if (!ret)
		tell(&c, &res);
	return session_close(&s, ret);
}
