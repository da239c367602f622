/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_WHY_TEXT_H
#define VIEW_WHY_TEXT_H
/*
 * perf sched why: what made tasks late, and how that happened, as text or data.
 */
#include "util/analysis/why/why.h"
#include "util/base/str.h"

struct why_view {
	struct table_output output;
	int max_parts;			/* of a chain, the longest ones; 0: all */
	bool ranking;			/* begin with a list of the waits */
};
/* n spans, in their order. */
void why_show(struct str *out, const struct why_tables *t, size_t n, const struct why_view *v);

#endif
