/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H
/*
 * The pager, and whether to colour. A pager runs only when stdout is a terminal: $PERF_PAGER, then
 * the configuration's, $PAGER, then less -FRSX; an empty name or "cat" means none. perf --no-pager
 * and --paginate travel as PERF_PAGER in the environment.
 */
#include "util/base/str.h"

/* Sends stdout (and stderr, if it is a terminal too) through the pager from now on. Harmless
 * when there is nothing to do or it runs already. Commands call it before their first line of
 * output, never before a workload was started. */
void cli_pager_start(void);
/* The same, and all of the text. */
void cli_page(const struct str *text);
/* For what is shown again and again: in the place of what was there before, as much as the terminal
 * has room for, if it is one that can and replace says so; else one after the other. False: nobody
 * reads it any more, or it cannot be written. */
bool cli_show_again(struct str *text, bool replace);
/* Of a command (pager.COMMAND in the configuration): instead of $PAGER, where $PERF_PAGER says
 * nothing; NULL: none. Borrowed. */
void cli_pager_choose(const char *program);
/* Closes stdout and waits until the user has left the pager. Called once by main(). */
void cli_pager_finish(void);
bool cli_pager_active(void);

enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };
/* "auto", "always", "never", "true", "false" as color.ui and --stdio-color have it; false: none
 * of these. */
bool cli_color_parse(const char *text, enum cli_color *out);
/* May what is printed on fd be coloured? AUTO: a terminal (or our pager) with a TERM that is not
 * "dumb", and no NO_COLOR. */
bool cli_color_on(enum cli_color when, int fd);
/* Columns of the terminal on fd; 0 when it is none. $COLUMNS wins. */
int cli_columns(int fd);

#endif
