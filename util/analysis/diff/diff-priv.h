/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_DIFF_PRIV_H
#define ANALYSIS_DIFF_PRIV_H
#include "util/analysis/annotate/blocks.h"
#include "util/analysis/diff/diff.h"
#include "util/base/str.h"

struct diff_block {		/* DIFF_CYCLES */
	u64 start_off, end_off;		/* from the beginning of its function */
	u64 cycles;
	bool paired;			/* the baseline has it, too */
	s64 diff;
	u32 first[BLOCK_FIRST];		/* cycles of its first times */
	/* by how much they differ from the baseline's; n_differ of both */
	u32 differ[BLOCK_FIRST];
	unsigned n_first, n_differ;
};

struct diff_side {		/* of one file */
	bool has;
	u64 period, n;
	const struct hist_sym *sym;	/* DIFF_CYCLES */
	struct diff_block *blocks;	/* in the table's arena */
	size_t n_blocks;
};

struct diff_row {
	const struct diff_file *of;	/* the first file that has it, */
	const struct hist_row *row;	/* and its row there */
	struct diff_side *sides;	/* by file; in the table's arena */
	size_t block;			/* DIFF_CYCLES: which of them */
	bool hidden;
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

/* compute.c */
double diff_base_pct(const struct diffing *d, const struct diff_row *r);
/* What is computed for that file; false: nothing, as it or the baseline does not have the row. */
bool diff_value(const struct diffing *d, const struct diff_row *r, size_t file, double *out);
bool diff_is_chance(const struct diffing *d, const struct diff_row *r, size_t file);

/* cycles.c: a row for each block, in the place of those of functions. */
void diff_make_blocks(struct diffing *d);
/* NULL: that file has none. */
const struct diff_block *diff_block_of(const struct diff_row *r, size_t file);
/* How the cycles of the first times differ: "± 77.1% ▁█▁▁▁▃▁▁", the standard error of their mean,
 * and each of them by its height; nothing where none differ. */
void diff_add_block_times(struct str *out, const struct diff_block *b);
/* "[f+0 -> f+17]", or with lines of the source: "[file.c:3 -> file.c:5]" */
void diff_add_block_name(struct str *out, const struct diff_side *s, const struct diff_block *b);

/* columns.c: the columns of values, and their cells of a row; how many. */
void diff_add_columns(struct diffing *d);
size_t diff_fill_cells(const struct diffing *d, const struct diff_row *r, struct cell *cells);

#endif
