/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_IO_TEXT_H
#define VIEW_IO_TEXT_H
/*
 * perf io report: rows of requests, with call trees, as text or data.
 */
#include "util/analysis/io.h"
#include "util/base/str.h"

struct io_view {
	struct table_output output;
	bool histogram;
	bool inverted;
	double min_pct;			/* of branches; 0: all */
};
void io_show(struct str *out, const struct io_tables *t, const struct io_view *v);

#endif
