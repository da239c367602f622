/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SYS_SINK_H
#define ANALYSIS_SYS_SINK_H
/*
 * The stream's samples to lines: pairs of raw_syscalls:sys_enter and sys_exit become calls
 * (analysis/sys.h), everything else is an event among them.
 */
#include "util/analysis/sys-pairs.h"
#include "util/base/num.h"
#include "util/event/tracepoint.h"
#include "util/stream/sink.h"

struct sys_sink_opts {
	struct sys_pairs_opts pairs;	/* its lines too, which must be set */
	bool swap;
	/* the recorded machine's: arguments become what they are on this one; NULL: they are */
	const struct syscall_set *set;
	const int_vec *excluded;	/* processes and threads that are left out, or NULL */
	bool no_calls;		/* they come from elsewhere: raw_syscalls are events like others */
	/* the probe "vfs_getname": names of files for the calls, no lines of its own; NULL: none */
	const struct event *names;
	/* After the line of a call that ended: its sample, for its stack; NULL: none. */
	void (*after_call)(void *ctx, const struct sink_item *item);
	void (*on_event)(void *ctx, const struct sink_item *item);
	/* Before anything of this time is reported: NULL, or what else has to come before it. */
	void (*before)(void *ctx, u64 time_ns);
	void *ctx;
	unsigned wants;			/* more of enum sink_wants */
};
struct sink *sys_sink_new(const struct sys_sink_opts *o);
void sys_sink_free(struct sink *s);
/* Live: nothing older is still to come. */
void sys_sink_until(struct sink *s, u64 time_ns);

/* "prev_comm: "sleep", prev_pid: 18 (sleep), ..."; comm gives names of pids. */
void sys_event_fields(const struct tp_format *f, struct span raw, bool swap,
		      const struct syscall_style *style, struct str *out);
/* Those of syscalls:sys_enter_NAME as the call has them. false: it is another tracepoint,
 * nothing was written. */
bool sys_event_call(const struct tp_format *f, struct span raw, bool swap,
		    const struct syscall_set *set,
		    const struct syscall_style *style, struct str *out);
/* "minfault [main+0x10] => /usr/bin/x@0x40 (d.)": upstream perf's words for a page fault; kind:
 * "maj", "min" or, unknown, "". */
void sys_event_fault(const struct sink_item *item, const char *kind, struct str *out);

/* What stands between the parentheses of an event, by its kind. */
struct sys_event_how {
	const struct syscall_set *set;
	const struct syscall_style *style;
	bool swap;			/* the recording has the other byte order */
	bool by_format;			/* tracepoints as their format prints them */
};
void sys_event_args(const struct sink_item *item, const struct sys_event_how *how, struct str *out);

/* The frames of a sample, innermost first, each text with its NUL: "main (/usr/bin/x)"; strace:
 * "/usr/bin/x(main+0x10) [0x1136]". kernel: those in the kernel, too. Returns how many. */
unsigned sys_frames(const struct sink_item *item, bool kernel, bool strace, struct str *out);

#endif
