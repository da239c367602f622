/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H
/*
 * Manual pages. Documentation/perf-CMD.txt is plain text: "perf-CMD(1)", NAME, SYNOPSIS,
 * DESCRIPTION, OPTIONS, EXAMPLES, SEE ALSO, each underlined with dashes; OPTIONS holds the line
 * {options}, which stands for what the command's table says (perf CMD --list-opts=doc); {options
 * SUB} stands for the table of "perf CMD SUB". scripts/mkman.sh makes the installed page.
 */
#include "util/cli/options.h"

/* The page as text to read, without its marks, with {options} filled in from cmd (NULL: the
 * options of perf itself). false: there is no such file. */
bool cli_manual_text(const char *page, const struct cli_cmd *cmd, struct str *out);
/* The text of a page, {options} filled in: without underlines, quotes of the synopsis, "::" and
 * such; paragraphs in 80 columns. */
void cli_manual_plain(const char *page, struct str *out);
/* Shows an installed page with man(1); false: there is no man, or no such page in our own tree. */
bool cli_man(const char *page);
/* The directory of the running program, without the slash; empty when unknown. */
void cli_exe_dir(struct str *out);

#endif
