/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_SQLITE_SCHEMA_H
#define EXPORT_SQLITE_SCHEMA_H
/*
 * The tables and views of "perf export --format sqlite", documented in perf-sql(1). A change that
 * queries can see is another SQLITE_SCHEMA_VERSION. sqlite_indexes come after the rows.
 */
#define SQLITE_SCHEMA_VERSION "1"

extern const char *const sqlite_tables[];	/* statements; ended by NULL */
extern const char *const sqlite_indexes[];

#endif
