/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_LOCK_TEXT_H
#define VIEW_LOCK_TEXT_H
/*
 * Lock contention as upstream perf prints it: tables of lock_table(). Any thread.
 */
#include "util/analysis/lock.h"
#include "util/base/str.h"

struct lock_view {
	enum lock_by by;
	/* of columns, in order: enum lock_field */
	int fields[LOCK_N_FIELDS + 1];
	int n_fields;
	int n_rows;			/* at most; 0: all */
	const char *sep;		/* contention: upstream's lines with this separator */
	bool no_head;			/* rows alone */
	bool stacks;			/* contention by caller: each frame of the chain */
	bool percentiles;		/* the table has them */
};

/* "total wait", as the head of a column, and "wait_total", as options name it. */
extern const struct lock_field_name { const char *key, *title; } lock_field_names[LOCK_N_FIELDS];

void lock_add_contention(struct str *out, const struct table *t, const struct lock_view *v);
void lock_add_report(struct str *out, const struct table *t, const struct lock_view *v);
/* Parts of a line, each with a blank after it: for tables that have such columns. A time has 12
 * columns. */
void lock_add_field_title(struct str *out, int field);
void lock_add_field(struct str *out, const struct table *t, const struct table_row *row,
		    int field);
void lock_add_percentile_titles(struct str *out);
void lock_add_percentiles(struct str *out, const struct table *t, const struct table_row *row);
/* A line a frame: of two lists, the functions and the addresses. */
void lock_add_stack(struct str *out, const struct table *names, const struct table *addresses);
/* perf lock info: rows by thread, rows by lock. */
void lock_add_threads(struct str *out, const struct table *t);
void lock_add_map(struct str *out, const struct table *t);

#endif
