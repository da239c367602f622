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
/* Who has the whole terminal draws it, until cli_progress_off(): after the same time, as often,
 * never two calls at once, but from any thread. Before threads are made. */
typedef void cli_progress_fn(void *ctx, const char *what, u64 done, u64 all);
void cli_progress_draw(cli_progress_fn *fn, void *ctx);
/* Before anything is written to the terminal beside it. */
void cli_progress_wipe(void);
/* Text goes to fd from here on: no more progress where the two would mix. That is not so if fd
 * is a file. */
void cli_output_begins(int fd);

#endif
