/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
/*
 * One line on stderr while something takes long: "Processing events... 42%". What any room tells
 * (base/progress.h) is shown, so commands have nothing to do for it. Only on a terminal, not with
 * -q or -v, at most ten times a second, only after the first half second, and wiped at the end.
 */
#include "util/base/progress.h"

void cli_progress_start(void);		/* once, by main */
void cli_progress_off(void);		/* for good */
/* Before anything is written to the terminal beside it. */
void cli_progress_wipe(void);
/* Text goes to fd from here on: no more progress where the two would mix. That is not so if fd
 * is a file. */
void cli_output_begins(int fd);

#endif
