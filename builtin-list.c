// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/json.h"
#include "util/base/outfile.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/event/catalog.h"

#define ALL_KINDS ((1U << CATALOG_N) - 1)

struct list_cmd {
	struct cli_common common;
	bool json, raw_dump, desc, long_desc, details, deprecated;
	const char *output, *unit;
	struct os os;
	struct pmu_db *db;
	catalog all;
	FILE *out;
	size_t shown;
	bool title_done;
	struct str json_text;
};

static const struct option_def list_options[] = {
	OPT_FLAG('j', "json", struct list_cmd, json, "JSON encode events"),
	OPT_FLAG(0, "raw-dump", struct list_cmd, raw_dump, "only the names, in one line"),
	OPT_FLAG('d', "desc", struct list_cmd, desc, "Print event descriptions"),
	OPT_FLAG(0, "long-desc", struct list_cmd, long_desc, "Print event descriptions (the same)"),
	OPT_FLAG(0, "details", struct list_cmd, details, "Print how events are encoded"),
	OPT_FLAG(0, "deprecated", struct list_cmd, deprecated, "Print deprecated events too (there are none)"),
	OPT_STRING('o', "output", struct list_cmd, output, "file", "output file name"),
	OPT_STRING(0, "unit", struct list_cmd, unit, "PMU name", "only events of this PMU"),
	OPT_END
};

static const struct { const char *word; unsigned kinds; const char *what; } words[] = {
	{ "hw", 1U << CATALOG_HW, "hardware events" }, { "hardware", 1U << CATALOG_HW, "hardware events" },
	{ "sw", 1U << CATALOG_SW, "software events" }, { "software", 1U << CATALOG_SW, "software events" },
	{ "cache", 1U << CATALOG_CACHE, "cache events" }, { "hwcache", 1U << CATALOG_CACHE, "cache events" },
	{ "pmu", 1U << CATALOG_PMU, "events of kernel PMUs" }, { "tracepoint", 1U << CATALOG_TRACEPOINT, "tracepoints" },
};

/* --- one entry --- */

static void put_text(struct list_cmd *c, const struct catalog_entry *e)
{
	struct str s = STR_INIT, name = STR_INIT;

	str_add_safe(&name, e->name);
	if (e->alias)
		str_addf(&name, " OR %s", e->alias);
	str_addf(&s, "  %-50s [%s]%s\n", str_cstr(&name), catalog_kind_name(e->kind), e->supported ? "" : " (not supported here)");
	if ((c->desc || c->long_desc) && e->desc)
		str_addf(&s, "       [%s]\n", e->desc);
	if (c->details && e->encoding) {
		str_add(&s, "        ");
		str_add_safe(&s, e->encoding);
		str_addch(&s, '\n');
	}
	fputs(str_cstr(&s), c->out);
	str_release(&s);
	str_release(&name);
}

static void json_field(struct str *out, const char *key, const char *value, bool last)
{
	if (!value)
		return;
	str_addf(out, "\t\"%s\": ", key);
	json_quote(out, value, strlen(value));
	str_add(out, last ? "\n" : ",\n");
}

static char *tracepoint_encoding(struct list_cmd *c, const struct catalog_entry *e)
{
	const char *colon = strchr(e->name, ':');
	char *path = xasprintf("tracing:events/%.*s/%s/id", (int)(colon - e->name), e->name, colon + 1);
	u64 id = 0;
	int ret = os_read_u64(&c->os, path, &id, NULL);

	free(path);
	return ret ? NULL : xasprintf("tracepoint/config=0x%llx/", (unsigned long long)id);
}

static void put_json(struct list_cmd *c, const struct catalog_entry *e)
{
	struct str *s = &c->json_text;
	char *made = e->kind == CATALOG_TRACEPOINT ? tracepoint_encoding(c, e) : NULL;

	str_add(s, c->shown ? ",\n{\n" : "{\n");
	json_field(s, "Unit", e->unit, false);
	json_field(s, "EventName", e->name, false);
	json_field(s, "EventAlias", e->alias, false);
	json_field(s, "BriefDescription", e->desc, false);
	json_field(s, "Encoding", made ? made : e->encoding, false);
	if (!e->supported)
		str_add(s, "\t\"Supported\": false,\n");
	json_field(s, "EventType", catalog_kind_name(e->kind), true);
	str_add(s, "}");
	free(made);
}

static void put(struct list_cmd *c, const struct catalog_entry *e)
{
	if (c->unit && strcmp(c->unit, e->unit))
		return;
	if (c->json)
		put_json(c, e);
	else if (c->raw_dump)
		fprintf(c->out, "%s%s", c->shown ? " " : "", e->name);
	else {
		if (!c->title_done && (cli_pager_active() || isatty(fileno(c->out))) && !c->output)
			fputs("\nList of pre-defined events (to be used in -e):\n\n", c->out);
		c->title_done = true;
		put_text(c, e);
	}
	c->shown++;
}

/* --- choosing --- */

/* Without * ? [ a part of the name is enough, in any case of letters. */
static bool matches(const char *name, const char *pattern)
{
	return name && (is_glob(pattern) ? glob_match(name, pattern) : strcasestr(name, pattern) != NULL);
}

/* What the machine lacks is shown only when nothing else is. */
static size_t show(struct list_cmd *c, unsigned kinds, const char *pattern, bool with_unsupported)
{
	size_t before = c->shown;

	for (size_t i = 0; i < c->all.n; i++) {
		const struct catalog_entry *e = &c->all.v[i];

		if (!(kinds & 1U << e->kind) || (!e->supported && !with_unsupported) ||
		    (pattern && !matches(e->name, pattern) && !matches(e->alias, pattern)))
			continue;
		put(c, e);
	}
	return c->shown - before;
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
	return cli_errorf("no event matches '%s'\nHint: perf list shows all; a part of the name is enough, * ? and [ ] make a glob",
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
		return cli_errorf("no SDT markers are known: add a binary's with perf buildid-cache --add FILE, then perf probe "
				  "sdt_PROVIDER:NAME");
	if (!strcmp(word, "metric") || !strcmp(word, "metricgroup") || !strcmp(word, "metrics") || !strcmp(word, "metricgroups"))
		return cli_errorf("no metrics are built in: perf stat computes the usual ones from the events it counts");
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
	if (ret)
		cli_warn_err(err);
	err_release(err);
	return 0;
}

static int close_out(struct list_cmd *c)
{
	bool bad;

	if (c->json && c->shown) {
		fputs("[\n", c->out);
		fputs(str_cstr(&c->json_text), c->out);
		fputs("\n]\n", c->out);
	}
	if (c->raw_dump && c->shown)
		fputs("\n", c->out);
	errno = 0;
	bad = fflush(c->out) || ferror(c->out);
	if (c->out != stdout && fclose(c->out))
		bad = true;
	return bad && c->output ? cli_errorf("cannot write '%s': %s", c->output, strerror(errno ? errno : EIO)) : 0;
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
	static const char *const usage[] = { "[<options>] [hw|sw|cache|tracepoint|pmu|sdt|metric|event_glob]", NULL };
	const struct option_table tables[] = { { list_options, &c }, cli_common_group(&c.common), { 0 } };
	static const char *const kinds[] = { "hw", "sw", "cache", "tracepoint", "pmu", "sdt", "metric", NULL };
	const struct cli_cmd cmd = { .name = "list", .usage = usage, .tables = tables, .words = kinds };
	int n = cli_parse(&cmd, argc, argv), status;

	if (n < 0)
		return cli_status(n);
	os_init(&c.os);
	c.db = pmu_db_new(&c.os);
	status = run(&c, n, argv);
	catalog_release(&c.all);
	str_release(&c.json_text);
	pmu_db_free(c.db);
	os_release(&c.os);
	return status;
}
