/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SYS_SUM_H
#define VIEW_SYS_SUM_H
/*
 * The summary of a trace: upstream perf's layout, CSV, or JSON with an object a line.
 */
#include "util/analysis/sys-table.h"

void view_sys_summary(const struct sys_tables *t, const struct table_output *output,
		      struct str *out);

#endif
