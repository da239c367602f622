/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SCHED_ROWS_H
#define VIEW_SCHED_ROWS_H
/*
 * Rows that are drawn as CSV or JSON while the recording is read. The caller adds columns to the
 * table, and then rows; they are drawn, written and dropped some hundred at a time. One owner;
 * zeroed memory is safe to release.
 */
#include <stdio.h>

#include "util/view/draw.h"

struct sched_rows {
	struct table table;
	struct draw draw;
	struct str out;
	FILE *fp;
	bool begun;
};

/* Anything may be drawn before the rows begin, and after their end. */
void sched_rows_init(struct sched_rows *r, FILE *fp, const struct table_output *output);
void sched_rows_begin(struct sched_rows *r);	/* may be left out: no rows follow */
void sched_rows_added(struct sched_rows *r);	/* after each row */
void sched_rows_flush(struct sched_rows *r);	/* what there is has to be seen now */
void sched_rows_end(struct sched_rows *r);	/* of the table, if it was begun */
void sched_rows_close(struct sched_rows *r);	/* ends all, and writes the rest */
void sched_rows_release(struct sched_rows *r);

#endif
