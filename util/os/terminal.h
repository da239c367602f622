/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_TERMINAL_H
#define OS_TERMINAL_H
/*
 * The terminal while a program has the whole screen: bytes as they are typed, its size, and the
 * way back, whatever ends the program. There is one terminal, so there is one at a time.
 *
 *  1. What restores it is known before anything is changed: the modes as they were, and a text that
 *     leaves the screen.
 *  2. A signal that ends the process (SEGV, BUS, ABRT, FPE, ILL, INT, TERM, HUP, QUIT) restores it
 *     first, and then ends the process as it would have.
 *  3. A process that gets no chance (KILL) has a watcher: a child that waits for the end of a pipe,
 *     and does the same. Where a shell with job control took the terminal back already, its modes
 *     are the shell's, and only the screen is left.
 */
#include "util/base/err.h"
#include "util/os/run.h"

struct terminal;

enum terminal_event {
	TERMINAL_BYTES,		/* there is something to read */
	TERMINAL_RESIZED,
	TERMINAL_CONTINUED,	/* after a stop: the screen has to be drawn anew */
	TERMINAL_TIMEOUT,
	TERMINAL_CLOSED,	/* nobody is there any more */
};

/* fd: of the terminal. enter is written now and after a stop, leave at any end; both are copied.
 * -ENOTTY: fd is none. NULL on an error. */
struct terminal *terminal_open(int fd, const char *enter, const char *leave, struct err *err);
void terminal_close(struct terminal *t);
/* timeout_ms < 0: for ever. */
enum terminal_event terminal_wait(struct terminal *t, int timeout_ms);
/* What there is; 0: nothing or the end. */
size_t terminal_read(struct terminal *t, void *buf, size_t n);
/* A program has the terminal until it ends: the screen is left, and keys that stop or end it are
 * not for us. wait: then for Enter, because what it wrote goes when the screen comes back; where it
 * failed that is done at any rate. Yields what run_program() does; 0 also where it was ended by
 * Ctrl-C, or by its pager. */
int terminal_run(struct terminal *t, const struct run_opts *o, bool wait, struct err *err);
/* As Ctrl-Z: leaves the screen and stops; returns after the process was continued. */
void terminal_suspend(struct terminal *t);

#endif
