/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_TRACE_H
#define BUILTIN_TRACE_H
/*
 * perf trace: builtin-trace-options.c has what the command line and the configuration say,
 * builtin-trace.c what is done with it.
 */
#include "util/analysis/sys-events.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/session/live.h"
#include "util/view/sys-show.h"

enum { CAPTURE_AUTO, CAPTURE_BTF, CAPTURE_RAWTP, CAPTURE_RINGS };	/* trace.capture */
enum { STYLE_PERF, STYLE_STRACE };

struct trace_selection {		/* what is looked at */
	opt_list events;
	sys_filters filters;
	char *add_events;		/* of the configuration; owned */
	struct sys_switch marks;
	int syscalls, faults;		/* syscalls -1: as it follows from the events */
	u64 min_ns, max_events;
	bool failure;
};

struct trace_capture {			/* how it is got */
	int how, max_string;		/* how: CAPTURE_* */
	bool force_btf;
	const char *map_timeout;
	/* what they are unless the options say otherwise */
	struct { bool no_inherit; int how, max_string; } config;
};

struct trace_stacks {
	const char *call_graph;
	int max, min;
	bool kernel;
};

struct trace_lines {			/* how they look */
	int style, align;
	bool full_time, comm, show_cpu, with_return, print_sample, tp_print, no_fds;
	bool show_zeros, show_event_zeros, show_time, show_duration, show_names, show_prefix;
};

struct trace_sums {
	bool only, with, by_bpf, stats;
	struct sys_sums_opts table;
};

struct trace_output {
	const char *path;
	struct table_output data;
};

struct trace_opts {
	struct live_session_opts live;
	u64 delay_ms;
	struct trace_selection selection;
	struct trace_capture capture;
	struct trace_stacks stacks;
	struct trace_lines lines;
	struct trace_sums sums;
	struct trace_output output;
	const char *input;
	bool force;
	const char *kallsyms;
	struct cli_common common;
};

/* 0: to be run, with n_args words of the command in argv; else *status is the command's. */
int trace_parse(struct trace_opts *o, int argc, const char **argv, int *n_args, int *status);
void trace_opts_release(struct trace_opts *o);
bool trace_wants_sums(const struct trace_opts *o);
/* Options that only tracing can follow: those that would leave something out are errors, the
 * others are named. */
int trace_check_input(const struct trace_opts *o, struct err *err);
/* They exist. */
int trace_check_targets(const struct trace_opts *o, struct os *os, struct err *err);
/* -e, --filter and the configuration; calls: whether there are to be lines of calls. */
int trace_select(struct trace_opts *o, struct os *os, const struct syscall_set *set,
		 struct sys_select *select, bool *calls,
		 struct err *err);
/* What the options say of it; set, select and plans are the owner's to add. */
void trace_set_show(struct trace_opts *o, bool calls, struct sys_show *show);
void trace_capture_opts(const struct trace_opts *o, const struct sysplan *plans,
			struct syscapture_opts *out);
/* calls: they come as events. */
int trace_sampling(const struct trace_opts *o, bool calls, struct record_opts *ro, struct err *err);
/* the rest stays */
void trace_events_opts(const struct trace_opts *o, bool captured, struct sys_events_opts *out);
void trace_warn_lost(u64 n);
/* Of calls that the sums do not have: below them, or as a warning where they are data. */
void trace_tell_missing(const struct trace_opts *o, u64 n, struct str *out);
/* With -v how calls are captured (c NULL: why not); failure: they were to be captured in a way
 * that is not possible. */
int trace_check_capture(const struct trace_opts *o, const struct syscapture *c,
		       const struct err *reason, struct err *err);
/* Tracepoints watch calls where BPF may not. */
void trace_say_rings(const struct trace_opts *o);
/* Calls as events were not allowed. */
void trace_hint_paranoid(const struct os *os, struct err *err);
/* Where BPF captures nothing: options without effect are named, those that need it are errors.
 * calls: they come as events. */
int trace_check_rings(const struct trace_opts *o, bool calls, struct err *err);
/* There are no tracepoints of calls either. */
void trace_tell_no_way(const struct trace_opts *o, const struct os *os, struct err *err);

#endif
