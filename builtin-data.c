// SPDX-License-Identifier: GPL-2.0-or-later
// perf data convert: a recording in the formats of other tools.
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "builtin-export.h"
#include "util/base/log.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/export/exporter.h"
#include "util/session/warnings.h"

struct convert_cmd {
	struct export_opts export;
	bool twice, tod;
	struct cli_common common;
};

static const struct option_def convert_options[] = {
	OPT_STRING('i', "input", struct convert_cmd, export.input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_STRING(0, "time", struct convert_cmd, export.stream.filter.time, "str",
		   "convert only the samples of this time: start,stop or 10%/2 or 0%-10%"),
	OPT_FLAG(0, "all", struct convert_cmd, export.records,
		 "with --to-ctf: also records of tasks and mappings, as events of their own"),
	OPT_FLAG(0, "tod", struct convert_cmd, tod,
		 "with --to-ctf: times of the day, where the recording knows it"),
	OPT_FLAG('f', "force", struct convert_cmd, export.force,
		 "read a recording of another user, and overwrite an existing output"),
	OPT_END
};

#define MAX_EXPORTERS 16

/* Another format is an error; --no-x takes back only its own. */
static int set_exporter(const struct opt_use *u, struct err *err UNUSED)
{
	struct convert_cmd *c = u->base;
	const struct exporter *const *e = exporters;

	while (!(*e)->option || strcmp((*e)->option, u->def->name))
		e++;
	if (u->unset) {
		if (c->export.exporter == *e)
			c->export.exporter = NULL;
		return 0;
	}
	c->twice |= c->export.exporter && c->export.exporter != *e;
	c->export.exporter = *e;
	c->export.output = u->arg;
	return 0;
}

static void exporter_options(struct option_def *defs)
{
	size_t n = 0;

	for (const struct exporter *const *e = exporters; *e && n < MAX_EXPORTERS; e++) {
		if ((*e)->option)
			defs[n++] = (struct option_def)OPT_CALL_NO(0, (*e)->option,
				(*e)->directory ? "dir" : "file", set_exporter, (*e)->help);
	}
	defs[n] = (struct option_def)OPT_END;
}

/* "--to-json and --to-trace-json" */
static void add_exporter_names(struct str *out)
{
	for (const struct exporter *const *e = exporters; *e; e++) {
		if ((*e)->option)
			str_addf(out, "%s--%s", out->len ? " and " : "", (*e)->option);
	}
}

static int check(const struct cli_cmd *cmd, const struct convert_cmd *c)
{
	const struct exporter *e = c->export.exporter;
	struct str names = STR_INIT;
	int ret = 0;

	if (!e || c->twice) {
		add_exporter_names(&names);
		ret = cli_usage_error(cmd, "give one of %s", str_cstr(&names));
		str_release(&names);
	} else if ((c->tod || c->export.records) && !e->directory) {
		ret = cli_usage_error(cmd, "--%s is for --to-ctf", c->tod ? "tod" : "all");
	} else if (e->directory && !strcmp(c->export.output, "-")) {
		ret = cli_usage_error(cmd, "--%s needs a directory", e->option);
	}
	return ret;
}

static void say(const struct export_run *r, const struct export_opts *o)
{
	struct str records = STR_INIT;

	session_symbol_warnings(&r->s, log_on(LOG_CLI, 1));
	if (o->records)
		str_addf(&records, ", %llu non-samples", (unsigned long long)r->n_records);
	fprintf(stderr, "[ perf data convert: Converted '%s' into %s data '%s' (%llu %s%s) ]\n",
		r->s.source->name, o->exporter->directory ? "CTF" : "JSON", o->output,
		(unsigned long long)r->n, o->exporter->items, str_cstr(&records));
	str_release(&records);
}

static int data_convert(int argc, const char **argv, void *ctx UNUSED)
{
	struct convert_cmd c = { 0 };
	const char *const usage[] = { "[<options>]", NULL };
	struct option_def formats[MAX_EXPORTERS + 1];
	const struct option_table tables[] = { { convert_options, &c }, { formats, &c },
					       cli_symbols_group(&c.export.stream.symbols),
					       session_group(), cli_common_group(&c.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "data convert", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct export_run r = { 0 };
	int n, ret;

	exporter_options(formats);
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		return cli_status(n);
	n = check(&cmd, &c);
	if (n)
		return n;
	c.export.need_tod = c.tod;
	c.export.recorded_clock = c.export.exporter->directory && !c.tod;
	c.export.quiet = c.common.quiet;
	c.export.empty = true;
	ret = export_run(&r, &c.export);
	if (!ret && !c.common.quiet) {
		say(&r, &c.export);
	}
	return export_close(&r, ret);
}

static const struct cli_sub subs[] = { { "convert", data_convert }, { NULL, NULL } };

int cmd_data(int argc, const char **argv)
{
	struct cli_common common = { 0 };
	const char *const usage[] = { "[<options>] {convert}", NULL };
	static const char *const words[] = { "convert", NULL };
	const struct option_table tables[] = { cli_common_group(&common), { 0 } };
	const struct cli_cmd cmd = { .name = "data", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, NULL);
}
