/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_EXEC_GATE_H
#define OS_EXEC_GATE_H
/*
 * Programs that are about to be executed wait for a moment, until somebody has done what must be
 * done before they run. It is the kernel that asks (fanotify), each time when one of some files is
 * executed: a loader of programs, so that all that are linked dynamically are asked for. Nothing
 * stays behind when this process ends, however it does: then they just go on.
 */
#include "util/base/err.h"

struct exec_gate;

/* fn is called in a thread of its own, one call after the other, and may itself execute nothing
 * that would be asked for. pid: who executes; so far it is what it was. */
int exec_gate_new(struct exec_gate **out, void (*fn)(void *ctx, pid_t pid), void *ctx,
		  struct err *err);
void exec_gate_free(struct exec_gate *g);		/* NULL is fine */
/* That file from now on; any thread. -errno. */
int exec_gate_add(struct exec_gate *g, const char *path);

#endif
