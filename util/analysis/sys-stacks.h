/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SYS_STACKS_H
#define ANALYSIS_SYS_STACKS_H
/*
 * Stacks of captured calls: they come as samples of the calls' ends, and are matched with the
 * capture's records here. One owner.
 */
#include "util/base/str.h"
#include "util/wire/sample.h"
#include "util/wire/sysrec.h"

/* Between the two halves of one tracepoint: interrupts, and a hypervisor. No call waits longer
 * for its stack, which may be lost. */
#define SYS_STACK_LATE_NS 50000000

struct sys_stacks;
struct sys_stacks *sys_stacks_new(void);
void sys_stacks_free(struct sys_stacks *s);		/* safe on NULL */
/* The sample at the end of a call, the call's number and result; text is taken over. Of each
 * thread by time. */
void sys_stacks_put(struct sys_stacks *s, const struct sample *end, u32 nr, s64 ret,
		    unsigned n_frames, struct str *text);
/* That of a call's end; false: not there (yet). out is the caller's. */
bool sys_stacks_take(struct sys_stacks *s, const struct sysrec *r, unsigned *n_frames,
		     struct str *out);

#endif
