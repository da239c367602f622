/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_DIFF_PRIV_H
#define ANALYSIS_DIFF_PRIV_H
#include "util/analysis/diff/diff.h"
#include "util/base/str.h"

struct diff_side { bool has; u64 period, n; };	/* of one file */

struct diff_row {
	const struct diff_file *of;	/* the first file that has it, */
	const struct hist_row *row;	/* and its row there */
	struct diff_side *sides;	/* by file; in the table's arena */
};

struct diffing {
	const struct diff_file *files;
	size_t n;
	const struct diff_opts *o;
	struct table *out;
	struct strmap by_name;		/* row + 1 */
	VEC(struct diff_row) rows;
	struct hist_total *total;	/* by file: what 100 % is */
	struct hist_total shown;	/* of the baseline, in its column */
	struct str name;		/* scratch */
};

double diff_base_pct(const struct diffing *d, const struct diff_row *r);
/* What is computed for that file; false: nothing, as it or the baseline does not have the row. */
bool diff_value(const struct diffing *d, const struct diff_row *r, size_t file, double *out);
bool diff_is_chance(const struct diffing *d, const struct diff_row *r, size_t file);

/* columns.c: the columns of values, and their cells of a row; how many. */
void diff_add_columns(struct diffing *d);
size_t diff_fill_cells(const struct diffing *d, const struct diff_row *r, struct cell *cells);

#endif
