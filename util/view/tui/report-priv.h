/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_REPORT_PRIV_H
#define VIEW_TUI_REPORT_PRIV_H
/*
 * Inside of the browser of perf report: report.c has the keys, report-rows.c the lines,
 * report-state.c what is open, report-nest.c the rows that hold others, report-zoom.c which rows
 * are shown, report-menu.c its menu, report-script.c samples as text,
 * report-find.c the search, report-events.c the choice of an event, report-live.c what stays as it is when the rows are made again.
 */
#include "util/base/hash.h"
#include "util/view/tui/list.h"
#include "util/view/tui/report-tree.h"
#include "util/view/tui/report.h"

/* Rows are those whose word in a key column is this one, or (text) whose function's name has it. */
struct zoom {
	size_t key;		/* of the key columns */
	u64 word;
	char *text;		/* owned, or NULL */
	char *label;		/* owned; for the title: "DSO: x" */
	char what;		/* the key that was pressed */
};

/* A row that was opened, or is different from what all others are. An inner row of nested ones has
 * no lines: rows that it holds are shown, or not. */
struct row_state { bool open; struct tree_lines lines; };

struct report_browser {
	struct screen *screen;
	const struct report_tui_opts *o;
	const struct event *event;
	struct hist_view_opts view;
	struct hist_rows *rows;
	const struct table *table;	/* of rows */
	bool *in;			/* by row of the table: zooms and limits let it pass */
	VEC(u32) shown;			/* rows of the table that are to be seen */
	size_t *width;			/* by column */
	struct list list;
	struct hmap states;		/* row of the table + 1 -> struct row_state, owned */
	VEC(struct zoom) zooms;
	struct hist_total total;	/* samples; where percentages are of what is shown, those */
	u64 whole;			/* what 100 % is in call trees */
	unsigned sort_by;		/* number of an event of the group */
	bool signs;			/* a column for '+' and '-' */
	bool chains;			/* rows have call trees */
	bool all_open;			/* rows that have no state are open */
	bool heads, verbose, relative, many;
	struct str find, said;		/* what n looks for; the line at the bottom */
};

/* report.c: what a key leads to */
enum report_next { REPORT_STAY, REPORT_QUIT, REPORT_TO_EVENTS, REPORT_NEXT_EVENT,
		   REPORT_PREVIOUS_EVENT };
/* many: there are other events, too */
enum report_next report_browse_event(struct screen *s, const struct report_tui_opts *o,
				     const struct event *e, bool many);
/* report-menu.c: the key that does what was chosen; 0: nothing was */
char report_menu(struct report_browser *b);
/* report-script.c: asks which samples are to be shown, and how */
void report_script(struct report_browser *b);
/* report-find.c: ask: for the text, even if there is one */
void report_find(struct report_browser *b, bool up, bool ask);
/* report-rows.c */
void report_rows_begin(struct report_browser *b);	/* for the event, with the view */
void report_rows_end(struct report_browser *b);
/* report-live.c: with what has come; the cursor and what is open stay */
void report_rows_again(struct report_browser *b);
extern const struct list_lines report_lines;		/* ctx: the browser */
void report_heads(const struct report_browser *b, struct line *out);
/* All lines as they are on the screen, those out of sight too. */
void report_print(struct report_browser *b, struct str *out);
/* The text of a line without the tree's lines in front. */
void report_line_text(struct report_browser *b, struct list_pos at, struct str *out);
/* The function that is named at the cursor; NULL: none, or the recording has no such column. */
const struct hist_sym *report_symbol_here(struct report_browser *b);
void report_name_here(struct report_browser *b, struct str *out);
/* report-state.c */
/* The state of a shown row, made if there is none. */
struct row_state *report_row_state(struct report_browser *b, size_t row);
struct row_state *report_state_of(struct report_browser *b, size_t row);	/* of the table */
const struct call_tree *report_tree_of(struct report_browser *b, size_t row);	/* the same */
void report_forget_states(struct report_browser *b);
void report_whole_changed(struct report_browser *b);	/* trees have other percentages */
/* report-nest.c: rows that hold others (view.nested) */
bool report_inner(const struct report_browser *b, size_t row);	/* a shown row holds others */
void report_show_rows(struct report_browser *b);	/* makes shown, by what is in and open */
/* A shown inner row is opened or closed; all: with what it holds. */
void report_nest_set(struct report_browser *b, size_t row, bool open, bool all);
/* After other rows were opened or closed: the cursor is in its row, or in what holds it. */
void report_nest_again(struct report_browser *b);
/* All that is in is among shown for a while, until report_nest_reveal(). */
void report_nest_unfold(struct report_browser *b);
/* Opens what holds the row of the table; yields the shown row. */
size_t report_nest_reveal(struct report_browser *b, size_t row);
/* report-zoom.c */
void report_choose_rows(struct report_browser *b);	/* makes in, shown and total */
/* 'd', 't', 'k', 'S': into what the cursor's row is of, or out of it again. */
void report_zoom(struct report_browser *b, char what);
void report_zoom_text(struct report_browser *b, const char *text);	/* "": out */
/* What the cursor's row is of ("w", "libc.so.6"); out: it is zoomed into. false: it has no such
 * column. */
bool report_zoom_name(struct report_browser *b, char what, struct str *name, bool *out);
bool report_zoom_is_thread(const struct report_browser *b);	/* 't': one, no command */
bool report_zoom_out(struct report_browser *b);		/* false: it was all */
void report_zooms_release(struct report_browser *b);

/* report-sort.c: shown rows by the event that was chosen */
void report_sort(struct report_browser *b);

#endif
