// SPDX-License-Identifier: GPL-2.0-or-later
// perf inject: a recording rewritten with what it lacks: build-ids, the code of JIT compilers,
// samples in place of traces.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/inject/embed.h"
#include "util/inject/inject.h"
#include "util/session/session.h"

struct inject_cmd {
	struct inject_opts in;
	struct cli_common common;
	struct itrace_opts itrace;
	const char *guest_data, *vm_time;
	bool sched_stat, aslr, embed;
};

#define FLAG(short_name, long_name, member, help) \
	OPT_FLAG(short_name, long_name, struct inject_cmd, member, help)

static const struct option_def inject_options[] = {
	FLAG('b', "build-ids", in.build_ids,
	     "add the build-ids of the binaries that samples hit"),
	FLAG(0, "buildid-all", in.buildid_all,
	     "add the build-ids of all binaries that are mapped"),
	FLAG('B', "mmap2-buildids", in.mmap2_ids,
	     "put the build-ids into the MMAP2 records, and drop those without samples"),
	FLAG(0, "mmap2-buildid-all", in.mmap2_all,
	     "put the build-ids into the MMAP2 records of all mappings"),
	OPT_STRING('i', "input", struct inject_cmd, in.input, "file",
		   "the recording to read (default: standard input)"),
	OPT_STRING('o', "output", struct inject_cmd, in.output, "file",
		   "where to write the result (default: standard output)"),
	FLAG('j', "jit", in.jit, "add the code of JIT compilers, from their jitdump files"),
	FLAG(0, "embed", embed,
	     "put the names and lines of all that samples hit into the file"),
	FLAG('f', "force", in.force, "read a recording that belongs to another user"),
	FLAG('s', "sched-stat", sched_stat,
	     "merge sched_stat and sched_switch (not supported: see perf sched timehist)"),
	FLAG(0, "strip", in.strip,
	     "with --itrace: leave out the samples of all other events"),
	FLAG(0, "aslr", aslr, "remap virtual addresses (not supported)"),
	FLAG(0, "convert-callchain", in.chains,
	     "turn stack dumps into call chains"),
	OPT_STRING(0, "guest-data", struct inject_cmd, guest_data, "opts",
		   "add events of a guest's recording (not supported)"),
	OPT_STRING(0, "vm-time-correlation", struct inject_cmd, vm_time, "opts",
		   "align the clock of a guest (not supported)"),
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
		{ c->sched_stat, "--sched-stat", "'perf sched timehist' shows where and how long "
						 "tasks slept" },
		{ c->aslr, "--aslr", NULL },
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
	if (res->n_stacks && !c->common.quiet)
		fprintf(stderr, "%llu stack dumps were unwound, and became call chains\n",
			(unsigned long long)res->n_stacks);
	if (c->common.verbose <= 0)
		return;
	if (res->n_decoded)
		fprintf(stderr, "%llu samples were made of traces\n",
			(unsigned long long)res->n_decoded);
	fprintf(stderr, "%llu records copied, %llu build-ids, %llu pieces of code loaded and %llu "
			"moved in %llu jitdump files\n",
		(unsigned long long)res->n_records, (unsigned long long)res->n_build_ids,
		(unsigned long long)res->n_loads,
		(unsigned long long)res->n_moves, (unsigned long long)res->n_dumps);
}

/* Without a trace it is copied as it is. */
static void check_itrace(struct inject_cmd *c, const struct session *s)
{
	c->in.decoded = s->traces_decoded;
	if (c->itrace.set && !c->in.decoded)
		cli_warn("%s: there is no trace that --itrace decodes", c->in.input);
}

static int check_embed(const struct inject_cmd *c, const struct session *s)
{
	struct err err = ERR_INIT;

	if (!c->embed || (strcmp(c->in.output, "-") && !s->source->reader->pipe_mode))
		return 0;
	err_set(&err, ENOTSUP, "--embed needs a file to put the names into, and a recording that "
			       "was not written to a pipe");
	err_hint(&err, "perf record -o FILE ...; perf inject --embed -i FILE -o OTHER");
	cli_error(&err);
	err_release(&err);
	return CLI_FAILED;
}

/* Of the result, which is complete without. */
static int embed(const struct inject_cmd *c, struct session *s)
{
	const struct embed_opts o = { .path = c->in.output, .force = c->in.force,
				      .symbols = c->in.symbols };
	struct embed_result res;
	int ret = embed_names(&o, &s->os, &res, &s->err);

	if (!ret && c->common.verbose > 0)
		fprintf(stderr, "%llu symbols, %llu lines and %llu inlined calls of %llu addresses "
				"in %llu binaries: %llu KB\n", (unsigned long long)res.n_symbols,
			(unsigned long long)res.n_lines, (unsigned long long)res.n_inlines,
			(unsigned long long)res.n_addrs, (unsigned long long)res.n_dsos,
			(unsigned long long)res.bytes / 1024);
	return ret;
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
		{ { inject_options, &c }, cli_itrace_group(&c.itrace, true),
		  cli_symbols_group(&c.in.symbols), session_group(), cli_common_group(&c.common),
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
	if (c.in.strip && !c.itrace.set)
		return cli_usage_error(&cmd, "--strip needs --itrace: it leaves out what is not "
					     "made of traces");
	if (c.itrace.set && (c.itrace.extra.chain_all || c.itrace.extra.last_all))
		return cli_usage_error(&cmd, "--itrace=G and L add to samples that are shown: perf "
				       "script and perf report have them");
	ret = check_ends(&cmd, &c.in);
	if (ret)
		return ret;
	c.itrace.none = !c.itrace.set;
	c.in.stats = &s.counted;
	ret = session_open(&s, &(struct session_opts){ .path = c.in.input, .force = c.in.force,
						       .quiet = c.common.quiet,
						       .itrace = &c.itrace,
						       .symbols = &c.in.symbols,
						       .keep_traces = true });
	if (!ret)
		check_itrace(&c, &s);
	if (!ret)
		ret = check_embed(&c, &s);
	c.in.chains = c.in.chains || c.embed;
	if (!ret)
		ret = inject_run(&c.in, s.source, &s.os, &res, &s.err);
	if (!ret)
		tell(&c, &res);
	if (!ret && c.embed)
		ret = embed(&c, &s);
	return session_close(&s, ret);
}
