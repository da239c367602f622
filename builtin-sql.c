// SPDX-License-Identifier: GPL-2.0-or-later
// perf sql: questions to a recording in SQL, over what perf export --format sqlite writes.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin-export.h"
#include "builtin-sql.h"
#include "builtin.h"
#include "util/base/infile.h"
#include "util/base/outfile.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/export/sqlite-query.h"
#include "util/view/draw.h"
#include "util/view/text.h"

struct sql_cmd {
	struct export_opts export;
	struct table_output output;
	struct cli_common common;
	bool keep;
};

static const struct option_def sql_options[] = {
	OPT_STRING('i', "input", struct sql_cmd, export.input, "file",
	     "the recording (default: perf.data; -: standard input), or a database"),
	OPT_FLAG('f', "force", struct sql_cmd, export.force,
		 "read a recording that belongs to another user"),
	OPT_LIST('e', "event", struct sql_cmd, export.events, "event",
		 "only samples of this event, or pattern (sched:*); may be repeated"),
	OPT_FLAG(0, "keep", struct sql_cmd, keep,
		 "keep the database beside the recording, for the next questions"),
	OPT_END
};

static bool is_database(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char head[sizeof(magic)] = "";
	struct stat st;
	bool is;
	int fd;

	if (!path || stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = infile_open(path, INFILE_NAMED, NULL);
	is = fd >= 0 && read(fd, head, sizeof(head)) == sizeof(head) &&
		!memcmp(head, magic, sizeof(magic));
	if (fd >= 0)
		close(fd);
	return is;
}

static const struct exporter *sqlite_exporter(void)
{
	const struct exporter *const *e = exporters;

	while (!(*e)->format || strcmp((*e)->format, "sqlite"))
		e++;
	return *e;
}

static void show(const struct sql_cmd *c, const struct table *t)
{
	struct str out = STR_INIT;

	if (table_output_data(&c->output))
		draw_only_table(&out, t, &c->output);
	else
		text_table(&out, t, &(struct text_opts){ 0 });
	cli_page(&out);
	fflush(stdout);
	str_release(&out);
}

/* fd: of the file; -1: it is opened by its name */
static int ask_database(const struct sql_cmd *c, const char *path, int fd, const char *sql)
{
	struct table t = { 0 };
	struct err err = ERR_INIT;
	int ret = sqlite_query(path, fd, sql, &t, &err);

	if (!ret)
		show(c, &t);
	table_release(&t);
	return ret ? cli_error(&err) : 0;
}

static int ask_recording(struct sql_cmd *c, const char *sql)
{
	char *scratch = outfile_scratch_path("perf-sql.db");
	struct export_run r = { 0 };
	struct table t = { 0 };
	int ret;

	c->export.output = scratch;
	c->export.scratch = c->export.empty = true;
	c->export.exporter = sqlite_exporter();
	ret = export_run(&r, &c->export);
	if (!ret)
		ret = sqlite_query(r.s.source->name, r.out.fd, sql, &t, &r.s.err);
	if (!ret)
		show(c, &t);
	table_release(&t);
	ret = export_close(&r, ret);
	free(scratch);
	return ret;
}

static int make_kept(struct sql_cmd *c, struct kept_database *k)
{
	struct export_run r = { 0 };
	int ret;

	c->export.output = str_cstr(&k->path);
	c->export.made_from = str_cstr(&k->made_from);
	c->export.empty = c->export.overwrite = true;
	c->export.exporter = sqlite_exporter();
	ret = export_run(&r, &c->export);
	if (!ret && !c->common.quiet)
		fprintf(stderr, "[ perf sql: '%s' is kept for the next question ]\n",
			c->export.output);
	return export_close(&r, ret);
}

static int ask_kept(struct sql_cmd *c, const char *options, const char *sql)
{
	const char *recording = c->export.input ? c->export.input : "perf.data";
	struct kept_database k = { .fd = -1 };
	struct err err = ERR_INIT;
	int ret = kept_open(&k, recording, options, &err);

	if (ret)
		ret = cli_error(&err);
	else if (k.fd < 0)
		ret = make_kept(c, &k);
	if (!ret && k.fd < 0 && kept_reopen(&k, &err))
		ret = cli_error(&err);
	if (!ret)
		ret = ask_database(c, str_cstr(&k.path), k.fd, sql);
	kept_release(&k);
	return ret;
}

/* How many of the arguments say only what is read, what is asked, and how that is shown. */
static int n_others(const char *const *argv, const char *query)
{
	static const char *const alone[] = { "--keep", "--json", "-q", "--quiet", "-v", "-f",
					     "--force" };
	static const char *const with[] = { "-i", "--input", "-x", "--field-separator" };

	for (size_t k = 0; k < ARRAY_SIZE(alone); k++)
		if (!strcmp(argv[0], alone[k]))
			return 1;
	for (size_t k = 0; k < ARRAY_SIZE(with); k++)
		if (str_has_prefix(argv[0], with[k]))
			return strcmp(argv[0], with[k]) || !argv[1] ? 1 : 2;
	return argv[0] == query;
}

/* What the database depends on besides the recording: perf itself, and the other options. */
static void add_options(struct str *out, const char *const *argv, const char *query)
{
	int n;

	str_add(out, "; perf " PERF_RELEASE);
	for (argv++; *argv; argv += MAX(n, 1)) {
		n = n_others(argv, query);
		if (!n)
			str_addf(out, " %s", *argv);
	}
}

static int check(const struct cli_cmd *cmd, const struct sql_cmd *c, int n)
{
	if (n != 1)
		return cli_usage_error(cmd, n ? "give one query: quote it" : "give a query");
	if (c->keep && c->export.input && !strcmp(c->export.input, "-"))
		return cli_usage_error(cmd, "--keep needs a recording that is a file");
	if (c->keep && is_database(c->export.input))
		return cli_usage_error(cmd, "--keep is for recordings: '%s' is a database",
				       c->export.input);
	return 0;
}

int cmd_sql(int argc, const char **argv)
{
	struct sql_cmd c = { 0 };
	const char *const usage[] = { "[<options>] \"<query>\"", NULL };
	const struct option_table tables[] = { { sql_options, &c }, cli_output_group(&c.output),
					       cli_filter_group(&c.export.stream.filter),
					       cli_symbols_group(&c.export.stream.symbols),
					       cli_stream_group(&c.export.stream),
					       session_group(), cli_common_group(&c.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "sql", .usage = usage, .tables = tables };
	const char **given = memcpy(xcalloc((size_t)argc + 1, sizeof(*argv)), argv,
				    (size_t)argc * sizeof(*argv));
	struct str options = STR_INIT;
	int n = cli_parse(&cmd, argc, argv), ret = 0;

	if (n >= 0)
		ret = check(&cmd, &c, n);
	if (n == 1)
		add_options(&options, given, argv[0]);
	free(given);
	c.export.quiet = c.common.quiet;
	if (n < 0)
		ret = cli_status(n);
	else if (!ret && is_database(c.export.input))
		ret = ask_database(&c, c.export.input, -1, argv[0]);
	else if (!ret)
		ret = c.keep ? ask_kept(&c, str_cstr(&options), argv[0]) :
			ask_recording(&c, argv[0]);
	str_release(&options);
	vec_free(&c.export.events);
	return ret;
}
