/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H
/*
 * How far a long piece of work is, reported by the code that does it and shown by a hook: there is
 * one terminal. The hook is set once at start, before threads are made; without one nothing
 * happens.
 */
#include "util/base/types.h"

typedef void progress_fn(const char *what, u64 done, u64 all);

void progress_hook(progress_fn *fn);
/* what: "Processing events", valid as long as the program; all: 0 if that is not known. Any
 * thread, and the hook is called in it. */
void progress_step(const char *what, u64 done, u64 all);
void progress_end(void);	/* of this piece: the hook is called with what NULL */

#endif
