// SPDX-License-Identifier: GPL-2.0-or-later
// perf export: a recording in the formats of other tools.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtin-export.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/session/warnings.h"

struct export_cmd {
	struct export_opts export;
	struct cli_common common;
	struct itrace_opts itrace;
};

static void add_formats(struct str *out)
{
	for (const struct exporter *const *e = exporters; *e; e++)
		if ((*e)->format)
			str_addf(out, "%s%s", out->len ? ", " : "", (*e)->format);
}

static int set_format(const struct opt_use *u, struct err *err)
{
	struct export_opts *o = &((struct export_cmd *)u->base)->export;
	struct str all = STR_INIT;

	for (const struct exporter *const *e = exporters; *e; e++) {
		if ((*e)->format && !strcmp((*e)->format, u->arg)) {
			o->exporter = *e;
			return 0;
		}
	}
	add_formats(&all);
	err_set(err, EINVAL, "there is no format '%s'", u->arg);
	err_hint(err, "formats: %s", str_cstr(&all));
	str_release(&all);
	return -EINVAL;
}

static const struct option_def export_options[] = {
	OPT_CALL('F', "format", "name", set_format,
		 "what to write: the formats are those above"),
	OPT_STRING('i', "input", struct export_cmd, export.input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_STRING('o', "output", struct export_cmd, export.output, "file",
	     "the file to write (default and -: standard output)"),
	OPT_FLAG('f', "force", struct export_cmd, export.force,
		 "read a recording of another user, and overwrite an existing output"),
	OPT_LIST('e', "event", struct export_cmd, export.events, "event",
		 "only samples of this event, or pattern (sched:*); may be repeated"),
	OPT_CHOICE(0, "weight", struct export_cmd, export.weight, "samples|period",
		   "what a stack counts: samples (default), or what the event counted"),
	OPT_CHOICE(0, "by", struct export_cmd, export.by, "default|none|comm|pid|tid",
		   "in formats of stacks: one tree or profile for all, or one for each"),
	OPT_FLAG(0, "lines", struct export_cmd, export.lines,
		 "look for source lines also in formats that are written faster without"),
	OPT_FLAG(0, "partition", struct export_cmd, export.partition,
		 "parquet: the output is a directory with a file for each host and hour"),
	OPT_END
};

static int check(const struct cli_cmd *cmd, const struct export_cmd *c)
{
	const struct export_opts *o = &c->export;
	struct str all = STR_INIT;
	int ret;

	if (!o->exporter) {
		add_formats(&all);
		ret = cli_usage_error(cmd, "give a --format: %s", str_cstr(&all));
		str_release(&all);
		return ret;
	}
	if (o->partition && !o->exporter->partitions)
		return cli_usage_error(cmd, "--partition is for the format parquet, not %s",
				       o->exporter->format);
	if ((o->partition || o->exporter->directory) && !strcmp(o->output, "-"))
		return cli_usage_error(cmd, "%s needs a directory: name it with -o",
				       o->partition ? "--partition" : "the format ctf");
	if (o->exporter->binary && !strcmp(o->output, "-") && isatty(STDOUT_FILENO))
		return cli_usage_error(cmd, "the format %s is not text: name a file with -o",
				       o->exporter->format);
	if (o->exporter->own_file && !strcmp(o->output, "-"))
		return cli_usage_error(cmd, "the format %s needs a file: name it with -o",
				       o->exporter->format);
	return 0;
}

static void say(const struct export_run *r, const struct export_opts *o)
{
	session_symbol_warnings(&r->s, log_on(LOG_CLI, 1));
	if (strcmp(o->output, "-"))
		fprintf(stderr, "[ perf export: Wrote '%s' as %s to '%s' (%llu %s) ]\n",
			r->s.source->name, o->exporter->format, o->output,
			(unsigned long long)r->n, o->exporter->items);
}

int cmd_export(int argc, const char **argv)
{
	struct export_cmd c = { .export.output = "-" };
	const char *const usage[] = { "--format NAME [<options>]", NULL };
	const struct option_table tables[] = { { export_options, &c },
					       cli_filter_group(&c.export.stream.filter),
					       cli_symbols_group(&c.export.stream.symbols),
					       cli_stream_group(&c.export.stream),
					       cli_itrace_group(&c.itrace, true),
					       session_group(), cli_common_group(&c.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "export", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct export_run r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	ret = check(&cmd, &c);
	if (ret)
		return ret;
	c.export.quiet = c.common.quiet;
	c.export.itrace = &c.itrace;
	ret = export_run(&r, &c.export);
	if (!ret && !c.common.quiet)
		say(&r, &c.export);
	ret = export_close(&r, ret);
	vec_free(&c.export.events);
	return ret;
}
