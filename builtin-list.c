// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "builtin-list.h"
#include "builtin.h"
#include "util/base/outfile.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/event/catalog.h"
#include "util/view/draw.h"
#include "util/view/list-text.h"

#define ALL_KINDS ((1U << CATALOG_N) - 1)

struct list_cmd {
	struct cli_common common;
	struct table_output data;
	bool raw_dump, desc, long_desc, details, deprecated;
	const char *output, *unit;
	struct os os;
	struct pmu_db *db;
	catalog all;
	FILE *out;
	struct table table;
	size_t shown;
};

static const struct option_def list_options[] = {
	OPT_FLAG('j', "json", struct list_cmd, data.json, "print the events as JSON"),
	OPT_FLAG(0, "raw-dump", struct list_cmd, raw_dump, "print only the names, on one line"),
	OPT_FLAG('d', "desc", struct list_cmd, desc, "print a description below each event"),
	OPT_FLAG(0, "long-desc", struct list_cmd, long_desc, "the same as -d"),
	OPT_FLAG(0, "details", struct list_cmd, details, "print how each event is encoded"),
	OPT_FLAG(0, "deprecated", struct list_cmd, deprecated,
		 "print deprecated events, too (there are none)"),
	OPT_STRING('o', "output", struct list_cmd, output, "file", "where to write the list"),
	OPT_STRING(0, "unit", struct list_cmd, unit, "PMU name", "print only events of this PMU"),
	OPT_END
};

static const struct { const char *word; unsigned kinds; const char *what; } words[] = {
	{ "hw", 1U << CATALOG_HW, "hardware events" },
		{ "hardware", 1U << CATALOG_HW, "hardware events" },
	{ "sw", 1U << CATALOG_SW, "software events" },
	{ "software", 1U << CATALOG_SW, "software events" },
	{ "cache", 1U << CATALOG_CACHE, "cache events" },
	{ "hwcache", 1U << CATALOG_CACHE, "cache events" },
	{ "pmu", 1U << CATALOG_PMU, "events of kernel PMUs" },
	{ "tool", 1U << CATALOG_TOOL, "events of perf's own" },
	{ "hwmon", 1U << CATALOG_HWMON, "sensors of chips" },
	{ "drm", 1U << CATALOG_DRM, "graphics devices in use" },
	{ "tracepoint", 1U << CATALOG_TRACEPOINT, "tracepoints" },
	{ "pfm", 1U << CATALOG_VENDOR, "events that libpfm4 knows of a CPU like this one" },
};

/* --- output --- */

static void put(struct list_cmd *c, const struct catalog_entry *e)
{
	if (!c->unit || !strcmp(c->unit, e->unit))
		catalog_table_add(&c->table, e, table_output_data(&c->data) ? &c->os : NULL);
}

static bool at_terminal(const struct list_cmd *c)
{
	return (cli_pager_active() || isatty(fileno(c->out))) && !c->output;
}

/* What one word matched, before the next one is looked for. */
static void draw_text(struct list_cmd *c)
{
	const struct list_text_opts o = { c->desc || c->long_desc, c->details, c->raw_dump };
	struct str s = STR_INIT;

	if (!c->table.rows.n)
		return;
	if (!o.names_only && !c->shown && at_terminal(c))
		str_add(&s, "\nList of pre-defined events (to be used in -e):\n\n");
	if (o.names_only && c->shown)
		str_addch(&s, ' ');
	list_text(&s, &c->table, &o);
	fputs(str_cstr(&s), c->out);
	c->shown += c->table.rows.n;
	table_clear_rows(&c->table);
	str_release(&s);
}

static void draw_data(struct list_cmd *c)
{
	const struct draw_opts o = { .output = c->data, .json = DRAW_JSON_ARRAY };
	struct str s = STR_INIT;
	struct draw d;

	draw_begin(&d, &o, &s);
	draw_table(&d, &c->table);
	draw_end(&d);
	fputs(str_cstr(&s), c->out);
	str_release(&s);
}

/* --- choosing --- */

/* Without * ? [ a part of the name is enough, in any case of letters. */
static bool matches(const char *name, const char *pattern)
{
	return name && (is_glob(pattern) ? glob_match(name, pattern) : strcasestr(name, pattern) !=
			NULL);
}

/* What the machine lacks is shown only when nothing else is. */
static size_t show(struct list_cmd *c, unsigned kinds, const char *pattern, bool with_unsupported)
{
	const size_t before = c->table.rows.n;

	for (size_t i = 0; i < c->all.n; i++) {
		const struct catalog_entry *e = &c->all.v[i];

		const bool driver = e->kind == CATALOG_HWMON || e->kind == CATALOG_DRM;

		if (!(kinds & 1U << e->kind) || (!e->supported && !with_unsupported) ||
		    (pattern && !matches(e->name, pattern) && !matches(e->alias, pattern) &&
		     !(driver && matches(e->unit, pattern))))
			continue;
		put(c, e);
	}
	return c->table.rows.n - before;
}

static int read_kinds(struct list_cmd *c, unsigned kinds, struct err *err)
{
	catalog_release(&c->all);
	return catalog_read(&c->all, kinds, &c->os, c->db, err);
}

static int nothing(const char *word, const char *what)
{
	if (what)
		return cli_errorf("there are no %s here", what);
	return cli_errorf("no event matches '%s'\nHint: perf list shows all; a part of the name is "
			  "enough, * ? and [ ] make a glob",
			  word);
}

static int list_word(struct list_cmd *c, const char *word, struct err *err)
{
	unsigned kinds = ALL_KINDS & ~(1U << CATALOG_RAW | 1U << CATALOG_BREAKPOINT);
	const char *what = NULL, *pattern = word;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i].word, word)) {
			kinds = words[i].kinds;
			what = words[i].what;
			pattern = NULL;
		}
	if (!strcmp(word, "sdt"))
		return cli_errorf("no SDT markers are known: add a binary's with perf "
				  "buildid-cache --add FILE, then perf probe "
				  "sdt_PROVIDER:NAME");
	if (!strcmp(word, "metric") || !strcmp(word, "metricgroup") || !strcmp(word, "metrics") ||
	    !strcmp(word, "metricgroups")) {
		c->shown += list_metrics(c->out, &(struct list_metrics_opts){
						 c->data, strstr(word, "group"), c->raw_dump });
		return 0;
	}
	if (pattern && strchr(pattern, ':'))
		kinds = 1U << CATALOG_TRACEPOINT;
	ret = read_kinds(c, kinds, err);
	if (ret && kinds == 1U << CATALOG_TRACEPOINT)
		return ret;	/* the reason why there is nothing to list */
	if (!show(c, kinds, pattern, false) && !show(c, kinds, pattern, true))
		return ret ? ret : nothing(word, what);
	err_release(err);
	return 0;
}

static int list_all(struct list_cmd *c, struct err *err)
{
	int ret = read_kinds(c, ALL_KINDS, err);

	show(c, ALL_KINDS, NULL, false);
	if (!table_output_data(&c->data))
		draw_text(c);
	if (ret)
		cli_warn_err(err);
	err_release(err);
	return 0;
}

static int close_out(struct list_cmd *c)
{
	bool bad;

	if (table_output_data(&c->data) && c->table.rows.n)
		draw_data(c);
	if (c->raw_dump && c->shown)
		fputs("\n", c->out);
	errno = 0;
	bad = fflush(c->out) || ferror(c->out);
	if (c->out != stdout && fclose(c->out))
		bad = true;
	return bad && c->output ? cli_errorf("cannot write '%s': %s", c->output,
					     strerror(errno ? errno : EIO)) : 0;
}

static int run(struct list_cmd *c, int n, const char **argv)
{
	const struct outfile_opts o = { .how = OUTFILE_LIVE, .named = true, .mode = 0666 };
	struct err err = ERR_INIT;
	int ret = 0, status = 0;

	c->out = c->output ? outfile_stream(c->output, &o, &err) : stdout;
	if (!c->out) {
		ret = cli_error(&err);
		err_release(&err);
		return ret;
	}
	if (!c->output)
		cli_pager_start();
	if (!n)
		ret = list_all(c, &err);
	for (int i = 0; i < n; i++) {
		ret = list_word(c, argv[i], &err);
		if (!table_output_data(&c->data))
			draw_text(c);
		if (ret < 0)
			cli_error(&err);
		err_release(&err);
		if (ret)
			status = CLI_FAILED;
	}
	ret = close_out(c);
	return ret ? ret : status;
}

int cmd_list(int argc, const char **argv)
{
	struct list_cmd c = { .desc = false };
	static const char *const usage[] = { "[<options>] "
					     "[hw|sw|cache|tracepoint|pmu|tool|hwmon|drm|sdt|"
					     "pfm|metric|"
					     "metricgroup|event_glob]",
					     NULL };
	const struct option_table tables[] = { { list_options, &c }, cli_output_group(&c.data),
					       cli_common_group(&c.common), { 0 } };
	static const char *const kinds[] = { "hw", "sw", "cache", "tracepoint", "pmu", "tool",
					     "hwmon",
					     "drm", "sdt", "pfm", "metric", "metricgroup", NULL };
	const struct cli_cmd cmd = { .name = "list", .usage = usage, .tables = tables,
				     .words = kinds };
	int n = cli_parse(&cmd, argc, argv), status;

	if (n < 0)
		return cli_status(n);
	if (c.data.sep && c.data.json)
		return cli_usage_error_opt(&cmd, "field-separator,json",
					   "-x and -j exclude each other");
	os_init(&c.os);
	catalog_table_begin(&c.table);
	c.db = pmu_db_new(&c.os);
	status = run(&c, n, argv);
	catalog_release(&c.all);
	table_release(&c.table);
	pmu_db_free(c.db);
	os_release(&c.os);
	return status;
}
