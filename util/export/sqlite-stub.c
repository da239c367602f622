// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "util/export/exporter.h"
#include "util/export/sqlite-query.h"

static int missing(struct err *err)
{
	err_set(err, ENOSYS, "this perf is built without SQLite");
	err_hint(err, "install libsqlite3-dev and build it again");
	return -ENOSYS;
}

static void *begin_sqlite(const struct export_job *job UNUSED, struct sink **sink UNUSED,
			  struct err *err)
{
	missing(err);
	return NULL;
}

const struct exporter export_sqlite = {
	.format = "sqlite", .help = "a database of SQLite: see perf-sql(1)",
	.items = "samples", .binary = true, .own_file = true, .begin = begin_sqlite,
};

int sqlite_query(const char *path UNUSED, int fd UNUSED, const char *sql UNUSED,
		 struct table *out UNUSED, struct err *err)
{
	return missing(err);
}
