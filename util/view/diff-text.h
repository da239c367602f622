/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_DIFF_TEXT_H
#define VIEW_DIFF_TEXT_H
/*
 * The text of perf diff: comments and a table for each event, as upstream perf writes them. Appends
 * to a struct str.
 */
#include "util/analysis/diff/diff.h"
#include "util/base/str.h"

struct diff_text_opts {
	bool quiet;			/* rows only */
	bool list_files;		/* also of two */
	char sep;			/* -t, or 0 */
	size_t columns;			/* of the terminal; 0: no limit */
	bool color;
	const char *const *names;	/* of the files, n_names */
	size_t n_names;
};

/* The n-th event that is shown, from 0 on; t of diff_table(). */
void diff_text(struct str *out, size_t n, const struct event *e, const struct table *t,
	       const struct diff_text_opts *o);

#endif
