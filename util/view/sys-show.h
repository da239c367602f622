/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SYS_SHOW_H
#define VIEW_SYS_SHOW_H
/*
 * A trace as text while it comes: lines of calls, events among them, stacks below them; where it
 * begins and ends. What comes is appended to out, which flush() takes. One owner.
 */
#include "util/analysis/sys-events.h"
#include "util/analysis/sys-sink.h"
#include "util/analysis/sys-stacks.h"
#include "util/view/sys-event.h"

struct sys_shown { const struct event *event; bool yes; };

struct sys_show_what {			/* is shown at all */
	const struct sys_select *select;
	struct sys_switch *marks;
	const struct sysplan *plans;	/* for stacks of captured calls: which are wanted */
	u64 max_events;			/* 0: all */
	int min_stack;
	enum sys_faults faults;
	bool no_lines;			/* sums alone */
	bool recorded;			/* events of a recording may be others than these */
};

struct sys_show_how {			/* it is shown, besides the view */
	bool with_calls, with_return;
	bool by_format;			/* tracepoints as their format prints them */
	bool kernel_frames;
	bool swap;			/* the recording has the other byte order */
};

struct sys_show {			/* the first part is the owner's to set */
	struct view_sys view;
	const struct syscall_set *set;
	struct sys_show_what what;
	struct sys_show_how how;
	struct sys_runtimes *runtimes;	/* NULL: nobody asks for them */
	void (*flush)(void *ctx, struct str *out);
	void *ctx;
	/* of the view */
	struct sys_lines lines;
	struct sys_events events;
	struct sys_stacks *stacks;
	struct str out;
	u64 n_lines, n_events, n_renamed;	/* n_renamed: of lines, when texts were made last */
	bool done;			/* max_events were shown; the owner may set it, too */
	bool hide;			/* what comes now: its stack is too short */
	VEC(struct sys_shown) known;	/* events of a recording that were looked at */
};
void sys_show_init(struct sys_show *s);
/* Live: what was opened. Stacks of captured calls are waited for if there are some. */
void sys_show_events(struct sys_show *s, const struct sys_events *e);
void sys_show_release(struct sys_show *s);
void sys_show_flush(struct sys_show *s);
/* Nothing more comes. lost: how many records were missing in all; where some are, a line has said
 * it as soon as there was room for one record more, and says it now of those after the last one. */
void sys_show_end(struct sys_show *s, u64 lost);
/* A record of the capture, and its stack below it. false: the stack is still to come, though all
 * is known up to now_ns. */
bool sys_show_record(struct sys_show *s, const struct sysrec *r, size_t bytes, u64 now_ns);
/* As callbacks of analysis/sys-sink.h, whose ctx is the view. */
void sys_show_event(void *ctx, const struct sink_item *it);
void sys_show_stack(void *ctx, const struct sink_item *it);

#endif
