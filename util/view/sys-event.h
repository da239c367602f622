/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SYS_EVENT_H
#define VIEW_SYS_EVENT_H
/*
 * Events among lines of system calls, and stacks below lines, in the form of the lines.
 */
#include "util/view/sys.h"

/* e with its arguments; fault: a page fault, which has no name in the line; column: lines have a
 * duration. */
void view_sys_event(struct view_sys *v, const struct sys_event *e, u32 cpu, bool fault,
		    bool column, struct str *out);
/* Of the line before, a text with NUL for each frame (analysis/sys-sink.h). */
void view_sys_stack(struct view_sys *v, u32 tid, const struct str *frames, struct str *out);

#endif
