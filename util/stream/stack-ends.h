/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_STACK_ENDS_H
#define STREAM_STACK_ENDS_H
/*
 * How the user stacks of a recording ended, for statistics: those that were unwound from copies,
 * by reason, and those that were recorded as call chains.
 */
#include "util/stream/stream.h"
#include "util/unwind/unwind.h"

struct stack_end {
	bool copied;		/* unwound from a copy; false: recorded as a call chain */
	const char *text;	/* static */
	u64 n;			/* samples */
	u64 of;			/* all of its kind; never 0 */
};

#define STACK_ENDS_MAX (UNWIND_END_NR + 3)

/* Fills out and returns how many there are; those that nothing ended by are left out. */
size_t stream_stack_ends(const struct stream_stats *st, struct stack_end out[STACK_ENDS_MAX]);

#endif
