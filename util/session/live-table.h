/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_LIVE_TABLE_H
#define SESSION_LIVE_TABLE_H
/*
 * Commands that show again and again what tracepoints of all CPUs have counted since the last time:
 * on a terminal in the place of what was there before, elsewhere one below the other. Until the
 * command that they run ends, or Ctrl-C. One owner, one thread; one at a time in a process.
 */
#include "util/session/live.h"

#define LIVE_TABLE_NS 2000000000ULL	/* a usual delay */

struct live_table_opts {
	const char *const *events;	/* as event_parse() takes them; NULL ends them */
	const char *lost_means;		/* "their requests are missing" */
	const struct record_stacks *stacks;	/* how samples get call chains; NULL: not */
	bool names;			/* the kernel's functions are to be known, also without */
	const char *const *argv;	/* the command; NULL: none */
	const struct stream_opts *stream;
	u64 delay_ns;
	u64 ring_bytes;			/* of a CPU's; 0: enough for most */
	bool plain;			/* data, which gets no title */
	/* The events are known, and the machine: makes what takes them, from there on its owner's.
	 * NULL: err says why. */
	struct sink *(*begin)(void *ctx, const struct event_list *events, struct machine *machine,
			      struct err *err);
	/* Adds what was counted since the last time. */
	void (*show)(void *ctx, struct str *out);
	void *ctx;
};

extern const struct record_stacks live_table_kernel_stacks;	/* of the kernel's part alone */
void live_table_title(struct str *out);	/* "# 12:34:56": what stands above each table */
/* The exit status: of the command that was run, if nothing went wrong. Errors are said, and how
 * many records the buffers had no room for. */
int live_table_run(const struct live_table_opts *o);

#endif
