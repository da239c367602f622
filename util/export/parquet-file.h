/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_PARQUET_FILE_H
#define EXPORT_PARQUET_FILE_H
/*
 * Writing a file of Parquet (https://parquet.apache.org/docs/file-format/): a flat table, whose
 * columns are buffered until a row group is full. Pages are packed with zstd, if that is built in.
 * One owner.
 *
 *	struct parquet_file *f = parquet_open(fp, columns, n);
 *	parquet_number(f, 0, 42); parquet_text(f, 1, "a"); parquet_null(f, 2);
 *	parquet_row(f);
 *	parquet_close(f);
 *	parquet_free(f);
 */
#include <stdio.h>

#include "util/base/str.h"

enum parquet_type {
	PARQUET_I32, PARQUET_I64,
	PARQUET_TIME,		/* nanoseconds since 1970, UTC */
	PARQUET_NAME,		/* UTF-8, of few different ones: a dictionary for each row group */
	PARQUET_TEXT,		/* UTF-8 */
	PARQUET_JSON,
};

struct parquet_column { const char *name; enum parquet_type type; bool optional; };

struct parquet_file;
/* fp and columns are borrowed. Nothing is written before a row group is full, or the end. */
struct parquet_file *parquet_open(FILE *fp, const struct parquet_column *columns, size_t n);
/* A value for each column of the row; then the row. */
void parquet_number(struct parquet_file *f, size_t column, s64 v);
/* Bytes that are no UTF-8 become U+FFFD. */
void parquet_text(struct parquet_file *f, size_t column, const char *text);
/* PARQUET_NAME: the text that the caller gave a number. False: it was not said yet in this row
 * group; then parquet_name() says it. */
bool parquet_named(struct parquet_file *f, size_t column, size_t number);
void parquet_name(struct parquet_file *f, size_t column, size_t number, const char *text);
void parquet_null(struct parquet_file *f, size_t column);
void parquet_row(struct parquet_file *f);
/* The end of the file; what fp says of its writes is for the caller to ask. */
void parquet_close(struct parquet_file *f);
void parquet_free(struct parquet_file *f);	/* NULL is fine */

#endif
