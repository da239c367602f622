// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/sqlite-query.h"

#include <ctype.h>
#include <errno.h>

#include "util/base/str.h"
#include "util/export/sqlite-fd.h"

#define TEXT_DECIMALS 3

static const char *hex(struct table *t, const u8 *p, size_t n)
{
	struct str s = STR_INIT;
	const char *text;

	for (size_t i = 0; i < n; i++)
		str_add_hex(&s, p[i], 2);
	text = table_text(t, str_cstr(&s));
	str_release(&s);
	return text;
}

static struct cell value(sqlite3_stmt *st, int i, struct table *t)
{
	switch (sqlite3_column_type(st, i)) {
	case SQLITE_INTEGER:
		return cell_int(sqlite3_column_int64(st, i));
	case SQLITE_FLOAT:
		return cell_num(sqlite3_column_double(st, i), -1);
	case SQLITE_TEXT:
		return cell_text(table_text(t, (const char *)sqlite3_column_text(st, i)));
	case SQLITE_BLOB:
		return cell_text(hex(t, sqlite3_column_blob(st, i),
				     (size_t)sqlite3_column_bytes(st, i)));
	default:
		return (struct cell){ .kind = CELL_NONE };
	}
}

static void add_columns(sqlite3_stmt *st, struct table *out)
{
	out->key = "rows";
	for (int i = 0; i < sqlite3_column_count(st); i++) {
		const char *name = table_text(out, sqlite3_column_name(st, i));
		struct column *c = table_add_column(out, name, name);

		c->none = "";
		c->right = true;	/* until there is a text */
	}
}

static int fetch(sqlite3 *db, sqlite3_stmt *st, struct table *out, struct err *err)
{
	int rc;

	add_columns(st, out);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct table_row *row = table_add_row(out);

		for (size_t i = 0; i < out->cols.n; i++) {
			row->cells[i] = value(st, (int)i, out);
			if (row->cells[i].kind == CELL_NUM)
				out->cols.v[i].decimals = TEXT_DECIMALS;
			out->cols.v[i].right &= row->cells[i].kind != CELL_TEXT;
		}
	}
	return rc == SQLITE_DONE ? 0 : err_set(err, EIO, "the query failed: %s",
					       sqlite3_errmsg(db));
}

static bool is_blank(const char *s)
{
	while (*s && (isspace((u8)*s) || *s == ';'))
		s++;
	return !*s;
}

static int bad_query(sqlite3 *db, const char *sql, struct err *err)
{
	err_set(err, EINVAL, "cannot understand the query '%s': %s", sql, sqlite3_errmsg(db));
	err_hint(err, "tables and views are in perf-sql(1), or: perf sql \"select name, sql from "
		      "sqlite_schema\"");
	return -EINVAL;
}

static int query(sqlite3 *db, const char *sql, struct table *out, struct err *err)
{
	sqlite3_stmt *st = NULL;
	const char *rest = "";
	int ret;

	if (sqlite3_prepare_v2(db, sql, -1, &st, &rest))
		return bad_query(db, sql, err);
	if (!st || !is_blank(rest))
		ret = err_set(err, EINVAL, "a query is one statement: '%s'", sql);
	else if (!sqlite3_stmt_readonly(st) || !sqlite3_column_count(st))
		ret = err_set(err, EINVAL, "not a question: '%s'", sql);
	else
		ret = fetch(db, st, out, err);
	sqlite3_finalize(st);
	return ret;
}

int sqlite_query(const char *path, int fd, const char *sql, struct table *out, struct err *err)
{
	struct sqlite_fd *f = NULL;
	sqlite3 *db = NULL;
	int ret;

	if (fd >= 0)
		f = sqlite_fd_open(fd, SQLITE_OPEN_READONLY, &db);
	else
		sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	if (!db || sqlite3_errcode(db) != SQLITE_OK)
		ret = err_set(err, EIO, "cannot open the database '%s': %s", path,
			      db ? sqlite3_errmsg(db) : "no memory");
	else
		ret = query(db, sql, out, err);
	if (f)
		sqlite_fd_close(f);
	else
		sqlite3_close(db);
	return ret;
}
