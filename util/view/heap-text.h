/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_HEAP_TEXT_H
#define VIEW_HEAP_TEXT_H
/*
 * perf heap report: rows of functions that allocate, with call trees, as text or data.
 */
#include "util/analysis/heap.h"
#include "util/base/str.h"

struct heap_view {
	struct table_output output;
	bool inverted;
	double min_pct;			/* of branches; 0: all */
};
void heap_show(struct str *out, const struct heap_tables *t, const struct heap_view *v);

#endif
