/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_DIALOG_H
#define VIEW_TUI_DIALOG_H
/*
 * Boxes over what is shown. They return when they are closed; what was below is for the caller to
 * draw again. Texts may come from files. A terminal that is closed closes them as ESC does.
 */
#include "util/view/tui/screen.h"

/* The number of the item that was taken, -1: none. title: NULL for none. */
int dialog_menu(struct screen *s, const char *title, const char *const *items, size_t n);
/* Lines of text; any key closes it, but for those that move a text that is longer than the screen
 * is high. */
void dialog_text(struct screen *s, const char *title, const char *text);
/* A line of text is typed into value (what is in it is where it begins); false: ESC. */
bool dialog_input(struct screen *s, const char *title, const char *text, struct str *value);
/* "Enter: Yes, ESC: No" */
bool dialog_confirm(struct screen *s, const char *question);
/* Is drawn and stays: a bar, share 0 to 1 (less than 0: not known), and a text below it. */
void dialog_bar(struct screen *s, const char *title, double share, const char *text);

#endif
