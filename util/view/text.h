/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TEXT_H
#define VIEW_TEXT_H
/*
 * Tables and call trees as text: columns with two spaces between and a line of dots below the
 * titles, or with a separator. Names go through str_add_safe(). Appends to a struct str; any
 * thread.
 */
#include "util/analysis/hist/hist.h"
#include "util/base/str.h"
#include "util/base/table.h"

struct text_opts {
	/* 0: columns by spaces; else -t SEP: cells keep their widths, SEP in names becomes '.' */
	char sep;
	bool no_titles;
	bool color;			/* percentages by their weight, as terminal escapes */
	/* -w: of the first columns; 0, and nested rows: by contents */
	const u16 *widths;
	size_t n_widths;
	/* of the terminal: the widest column gives way, its texts are cut in the middle; 0: no
	 * limit */
	size_t columns;
	const struct chain_opts *chain;	/* how call trees are drawn; NULL: not */
	bool skip_first;		/* call trees with one beginning are shown without it */
	u64 total;			/* what 100 % is in call trees */
	double min_pct;			/* nested rows below it are hidden, */
	u64 min_n;			/* and those with fewer samples */
};

void text_table(struct str *out, const struct table *t, const struct text_opts *opts);
/* Below a row; nothing when no branch is above the limit. */
void text_call_tree(struct str *out, const struct call_tree *t, const struct text_opts *opts);
/* What is in a cell, without padding. */
void text_value(struct str *s, const struct column *c, const struct cell *cell);
/* Columns of a screen that the widest cell of all rows takes, or the title. */
size_t text_column_width(const struct table *t, size_t col);
/* Nested rows: "Command / Shared Object / Symbol"; and the first of these columns, or cols.n. */
void text_nested_title(struct str *out, const struct table *t);
size_t text_first_level(const struct table *t);
/* "3K", "12M", "259 ": number and unit, as in "# Samples: 3K of event". */
void text_count_unit(struct str *out, u64 n);

#endif
