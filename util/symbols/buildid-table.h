/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_BUILDID_TABLE_H
#define SYMBOLS_BUILDID_TABLE_H
/*
 * Build-ids as rows: "build_id" (hex digits; none: the file has none), "path" (absent: asked for
 * one file's), and with ranges "start" and "end" of the mapping (absent without). Texts are
 * copied.
 */
#include "util/base/table.h"

enum { BUILDID_COLUMN_ID, BUILDID_COLUMN_START, BUILDID_COLUMN_END, BUILDID_COLUMN_PATH };

void buildid_table_begin(struct table *t);
/* n 0: no build-id is known; path NULL: absent. */
struct table_row *buildid_table_add(struct table *t, const u8 *id, size_t n, const char *path);
/* By path, equal rows once. */
void buildid_table_sort(struct table *t);

#endif
