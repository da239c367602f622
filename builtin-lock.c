// SPDX-License-Identifier: GPL-2.0-or-later
// perf lock: who waits for the kernel's locks, and for how long.
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "builtin-lock.h"
#include "builtin-record.h"
#include "util/base/log.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/output.h"
#include "util/cli/pager.h"
#include "util/session/warnings.h"

const struct option_def lock_input_options[] = {
	OPT_STRING('i', "input", struct lock_input, path, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_STRING(0, "output", struct lock_input, output, "file",
		   "write the text to this file (default: standard error)"),
	OPT_FLAG('D', "dump-raw-trace", struct lock_input, dump, "print all records of the file"),
	OPT_FLAG('f', "force", struct lock_input, force,
		 "read a recording that belongs to another user"),
	OPT_END
};

static void dump_records(const struct lock_input *in)
{
	const char *argv[] = { "script", "-D", in->path ? "-i" : NULL, in->path, NULL };

	(void)cmd_script(in->path ? 4 : 2, argv);
	fflush(stdout);
}

static int add_models(struct lock_reading *r, const struct lock_opts *opts, size_t n)
{
	struct session *s = &r->s;

	for (size_t i = 0; i < n; i++) {
		r->models[i] = lock_new(&opts[i], s->source->events, s->source->swap, &s->err);
		if (!r->models[i])
			return -1;
		r->sinks[i] = lock_sink(r->models[i]);
	}
	return session_run(s, r->sinks, n);
}

int lock_reading_run(struct lock_reading *r, const struct lock_input *in,
		     const struct lock_opts *opts, size_t n)
{
	struct session *s = &r->s;
	const struct stream_opts stream = { .symbols = in->symbols, .no_inline = true };
	int ret = session_open(s, &(struct session_opts){ .path = in->path, .force = in->force,
							  .quiet = in->common.quiet });

	if (!ret && in->dump)
		dump_records(in);
	if (!ret && !s->source->once)
		ret = lock_need_events(s->source->events, s->source->name, &s->err);
	if (!ret)
		ret = session_prepare(s, &stream);
	return ret ? ret : add_models(r, opts, n);
}

int lock_reading_close(struct lock_reading *r, int ret)
{
	const u64 n_bad = r->models[0] ? lock_get_stats(r->models[0])->n_bad : 0;

	session_warn(&r->s);
	if (!ret && r->s.stream && !r->s.quiet)
		session_symbol_warnings(&r->s, log_on(LOG_CLI, 1));
	if (!ret && n_bad) {
		session_damaged();
		cli_warn("%llu events without the needed fields were left out: their formats in "
			 "the recording are damaged", (unsigned long long)n_bad);
	}
	for (size_t i = 0; i < ARRAY_SIZE(r->models); i++)
		lock_free(r->models[i]);
	return session_close(&r->s, ret);
}

int lock_write(struct lock_reading *r, const struct lock_input *in, const struct str *text,
	       bool data)
{
	struct cli_output out = { 0 };
	int ret = 0;

	if (data && !in->output) {
		cli_pager_start();
		fwrite(str_cstr(text), 1, text->len, stdout);
		return 0;
	}
	ret = cli_output_open(&out, in->output, 0, &r->s.err);
	if (ret)
		return ret;
	cli_output_write(&out, text);
	ret = cli_output_check(&out, &r->s.err);
	cli_output_close(&out);
	return ret;
}

static int lock_record(int argc, const char **argv, void *in UNUSED)
{
	static const char *const words[] = { "lock", "record", NULL };
	static const char *const events[] = { "lock:contention_begin/max-stack=8/",
					      "lock:contention_end", NULL };

	return record_with(&(struct record_preset){ .words = words, .events = events, .raw = true,
						    .period = 1, .callchain = true }, argc, argv);
}

static int lock_script(int argc, const char **argv, void *in)
{
	const struct lock_input *i = in;
	VEC(const char *) args = { 0 };
	int ret;

	vec_push(&args, "script");
	if (i->path) {
		vec_push(&args, "-i");
		vec_push(&args, i->path);
	}
	for (int k = 1; k < argc; k++)
		vec_push(&args, argv[k]);
	vec_push(&args, NULL);
	ret = cmd_script((int)args.n - 1, args.v);
	vec_free(&args);
	return ret;
}

int cmd_lock(int argc, const char **argv)
{
	static const struct cli_sub subs[] = {
		{ "record", lock_record }, { "report", lock_report }, { "script", lock_script },
		{ "info", lock_info }, { "contention", lock_contention }, { NULL, NULL },
	};
	static const char *const words[] = { "record", "report", "script", "info", "contention",
					     NULL };
	const char *const usage[] = { "[<options>] {record|report|script|info|contention}", NULL };
	struct lock_input in = { 0 };
	const struct option_table tables[] =
		{ { lock_input_options, &in }, cli_symbols_group(&in.symbols), session_group(),
		  cli_common_group(&in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "lock", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &in);
}
