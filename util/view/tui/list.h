/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_LIST_H
#define VIEW_TUI_LIST_H
/*
 * The list browser: a cursor over rows, each of one line or (opened, as those of a tree) of
 * several, with a title above and a line of help below. Rows are asked for when they are looked
 * at, never counted through: a million open ones cost what is on the screen. Positions are of a
 * row and a line in it. One owner; what lines points to outlives the list.
 */
#include "util/view/tui/screen.h"

struct list_pos { size_t row; u32 sub; };	/* sub: line of the row, 0 the row's own */

struct list_lines {
	size_t (*rows)(void *ctx);
	/* at least 1; NULL: all have one */
	u32 (*height)(void *ctx, size_t row);
	/* adds pieces to out, which is empty */
	void (*draw)(void *ctx, struct list_pos at, struct line *out);
};

struct list {
	struct screen *screen;
	const struct list_lines *lines;
	void *ctx;
	struct list_pos top, cursor;
	size_t skip;		/* columns that are out of view on the left */
	int first_line, page;	/* of the screen, as it was drawn last */
};

/* What is around it; NULL: no such line. */
struct list_frame {
	const char *title;		/* at the top */
	const struct line *heads;	/* column titles below it; moves with the columns */
	const char *help;		/* at the bottom */
};

void list_init(struct list *l, struct screen *s, const struct list_lines *lines, void *ctx);
/* Draws all of it, and makes the screen show it. After rows came or went, or the size changed, the
 * cursor is where there is a row. */
void list_draw(struct list *l, const struct list_frame *f);
/* Cursor keys, pages, ends, wheel, click, and '<' and '>' for the columns; false: not one of
 * these. A click on the row of the cursor is not, either: who shows the list opens it. */
bool list_key(struct list *l, const struct screen_key *k);
/* The cursor goes there, and the list scrolls as far as it must. */
void list_go(struct list *l, struct list_pos to);
/* Lines from the top of the page to the cursor; the cursor goes there, to that line of the page. */
int list_line(const struct list *l);
void list_go_line(struct list *l, struct list_pos to, int line);
/* The row at the cursor got other lines: it stays in its row. */
void list_row_changed(struct list *l);

#endif
