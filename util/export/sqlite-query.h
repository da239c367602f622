/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_SQLITE_QUERY_H
#define EXPORT_SQLITE_QUERY_H
/*
 * One question to a database of SQLite. Any thread.
 */
#include "util/base/err.h"
#include "util/base/table.h"

/* The file at path, or fd >= 0: this one, of which path is the name for messages. It is not
 * changed: statements that write are errors. out: a column for each of the result (zeroed before;
 * the caller releases it). sql is one statement. */
int sqlite_query(const char *path, int fd, const char *sql, struct table *out, struct err *err);

#endif
