// SPDX-License-Identifier: GPL-2.0-or-later
// perf sql: questions to a recording in SQL, over what perf export --format sqlite writes.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin-export.h"
#include "builtin.h"
#include "util/base/infile.h"
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
};

static const struct option_def sql_options[] = {
	OPT_STRING('i', "input", struct sql_cmd, export.input, "file",
	     "the recording (default: perf.data; -: standard input), or a database"),
	OPT_FLAG('f', "force", struct sql_cmd, export.force,
		 "read a recording that belongs to another user"),
	OPT_LIST('e', "event", struct sql_cmd, export.events, "event",
		 "only samples of this event, or pattern (sched:*); may be repeated"),
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
	cli_pager_start();
	fwrite(str_cstr(&out), 1, out.len, stdout);
	fflush(stdout);
	str_release(&out);
}

static int ask_database(const struct sql_cmd *c, const char *sql)
{
	struct table t = { 0 };
	struct err err = ERR_INIT;
	int ret = sqlite_query(c->export.input, -1, sql, &t, &err);

	if (!ret)
		show(c, &t);
	table_release(&t);
	return ret ? cli_error(&err) : 0;
}

static int ask_recording(struct sql_cmd *c, const char *sql)
{
	const char *dir = getenv("TMPDIR");
	char *scratch = xasprintf("%s/perf-sql.db", dir && *dir ? dir : "/tmp");
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
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (n != 1)
		return cli_usage_error(&cmd, n ? "give one query: quote it" : "give a query");
	c.export.quiet = c.common.quiet;
	if (is_database(c.export.input))
		n = ask_database(&c, argv[0]);
	else
		n = ask_recording(&c, argv[0]);
	vec_free(&c.export.events);
	return n;
}
