/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_WHY_TEXT_H
#define VIEW_WHY_TEXT_H
/*
 * perf sched why: what made tasks late, and how that happened, as text, as data, and as what a page
 * shows of it.
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
/* JSON for the page of perf flame, which says what is in it. max_parts: of each chain. */
void why_json(struct str *out, const struct why_tables *t, size_t n, int max_parts);
/* Which rows of a chain are shown: the max longest parts (0: all) and the waits that hold them.
 * The caller frees. */
bool *why_choose_parts(const struct table *chain, int max);
/* "3 shorter parts" */
void why_add_left_out(struct str *out, u64 n);

#endif
