/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_DRAW_H
#define VIEW_DRAW_H
/*
 * Results as data: tables and single rows as CSV or JSON, by one renderer each (csv.c, json.c). A
 * report says what there is, in order; rows may be drawn as they come. What is shown to people
 * keeps its own layout, over the same tables (view/text.h).
 *
 *	draw_begin(&d, &(struct draw_opts){ .output = o }, &out);
 *	draw_facts(&d, &t);		// the first row of t: members of the object itself
 *	draw_group_begin(&d, "events", &name);
 *		// one object of several in the array "events", with the first row of name
 *	draw_table(&d, &rows);		// an array of one object a row, under the table's key
 *	draw_group_end(&d);
 *	draw_table_begin(&d, &t); draw_row(&d, &t, row) ...;
 *	draw_table_end(&d, &t);	// the same row by row
 *	draw_end(&d);
 *
 * JSON: one object, with a line for each row. Numbers are numbers in the unit that the key names,
 * addresses are numbers, names are strings; there is no value twice.
 * CSV: a line of keys, then a line a row. Each line begins with the values of the groups that it
 * is in. A second table comes after an empty line and "# KEY"; keys are written again only where
 * they change. Facts are the last tables. Texts with the separator, a quote or a line's end stand
 * between quotes (doubled inside), as RFC 4180 has it.
 *
 * Appends to a struct str, which the caller may write out and empty between any two calls. One
 * owner; draw_end() frees.
 */
#include "util/base/str.h"
#include "util/base/table.h"

enum draw_json {
	DRAW_JSON_OBJECT,	/* one object for all */
	/* only rows: an object a line, no array around them (trace --json); each begins with the
	 * facts of the groups that it is in */
	DRAW_JSON_ROWS,
	DRAW_JSON_LINES,	/* the same in the spelling of stat -j: ", " and " : " */
	DRAW_JSON_ARRAY,	/* only rows: one array, a member a line (list -j) */
};

struct draw_opts {
	struct table_output output;	/* one of the two is set */
	enum draw_json json;
	bool no_keys;			/* CSV: rows only (stat -x) */
};

struct draw_ops;
struct draw_level;
struct draw {
	const struct draw_ops *ops;
	struct draw_opts opts;
	struct str *out;		/* borrowed */
	void *state;			/* the renderer's own */
};

void draw_begin(struct draw *d, const struct draw_opts *opts, struct str *out);
void draw_end(struct draw *d);
void draw_facts(struct draw *d, const struct table *t);
/* Groups of one key follow each other; they may be nested. facts may be NULL. */
void draw_group_begin(struct draw *d, const char *key, const struct table *facts);
void draw_group_end(struct draw *d);
void draw_table(struct draw *d, const struct table *t);		/* hidden rows are left out */
/* columns are complete; rows are not looked at */
void draw_table_begin(struct draw *d, const struct table *t);
void draw_row(struct draw *d, const struct table *t, const struct table_row *row);
void draw_table_end(struct draw *d, const struct table *t);
/* All of a report that is one table. */
void draw_only_table(struct str *out, const struct table *t, const struct table_output *output);
/* Its rows as JSON, an object a line. */
void draw_json_rows(struct str *out, const struct table *t);

#endif
