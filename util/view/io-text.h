/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_IO_TEXT_H
#define VIEW_IO_TEXT_H
/*
 * perf io report: rows of requests, with call trees, and perf io cache: rows of what happened to
 * pages; as text or data.
 */
#include "util/analysis/io.h"
#include "util/analysis/page-cache.h"
#include "util/base/str.h"

struct io_view {
	struct table_output output;
	bool histogram;
	bool inverted;
	double min_pct;			/* of branches; 0: all */
};
void io_show(struct str *out, const struct io_tables *t, const struct io_view *v);
void page_cache_show(struct str *out, const struct page_cache_tables *t,
		     const struct table_output *output);

#endif
