/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_BUILDID_TEXT_H
#define VIEW_BUILDID_TEXT_H
/*
 * The table of util/symbols/buildid-table.h, a line a row: "ID PATH", "ID START END PATH" or "ID".
 */
#include "util/base/str.h"
#include "util/base/table.h"

/* As text, or CSV or JSON where o wants these. After a failure (whole: none) text has what was
 * found; data are whole or not there. */
void buildid_show(struct str *out, const struct table *t, const struct table_output *o, bool whole);

#endif
