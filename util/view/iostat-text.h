/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_IOSTAT_TEXT_H
#define VIEW_IOSTAT_TEXT_H
/*
 * A line for each PCIe root port with the MB in its four directions: as upstream perf has it in
 * text and CSV (an empty field: was not counted); in JSON an object a line.
 */
#include "util/analysis/stat/iostat.h"

/* The line of titles; JSON has none. interval: lines have stamps. */
void view_iostat_head(const struct table_output *o, bool interval, struct str *out);
/* time_ns: the stamp of the interval; < 0: none. */
void view_iostat_rows(const struct table_output *o, const iostat_rows *rows, s64 time_ns,
		      struct str *out);

#endif
