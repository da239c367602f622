/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_TRACE_H
#define BUILTIN_TRACE_H
/*
 * The parts of perf trace: builtin-trace.c has options and output, builtin-trace-live.c runs, builtin-trace-events.c
 * has the events between the calls, builtin-trace-record.c shows what perf record wrote.
 */
#include "util/analysis/sys-select.h"
#include "util/analysis/sys.h"
#include "util/bpf/syscapture.h"
#include "util/cli/common.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/os/workload.h"
#include "util/session/session.h"
#include "util/stream/sink.h"
#include "util/view/sys.h"

enum { CAPTURE_AUTO, CAPTURE_BTF, CAPTURE_RAWTP, CAPTURE_RINGS };	/* trace.capture */
enum { STYLE_PERF, STYLE_STRACE };
enum { FAULTS_NONE, FAULTS_ALL, FAULTS_MAJ, FAULTS_MIN };

/* One --filter: of the events in the -e before it, the after-th one (from 1; 0: there is none). */
struct trace_filter {
	const char *text;
	size_t after;
};

struct trace_opts {
	struct target target;
	opt_list events;
	const char *output, *cgroup, *filter_pids;
	const char *input, *call_graph;
	VEC(struct trace_filter) filters;
	bool summary_only, bpf_summary;
	bool with_summary, errno_summary, failure, with_return, full_time, comm, no_inherit, show_cpu, json, force,
			no_fds, tp_print;
	bool show_zeros, show_event_zeros, show_time, show_duration, show_names, show_prefix, show_switch, kernel_graph;
	bool sched, print_sample, force_btf;
	struct { bool no_inherit; int capture, max_string; } config;	/* what they are unless the options say otherwise */
	char *add_events;		/* of the configuration; owned */
	const char *switch_on, *switch_off;
	bool tool_stats;
	int max_stack, min_stack;
	const char *map_timeout;
	int syscalls, faults;	/* syscalls -1: as it follows from the events */
	int summary_mode, style, capture;
	u64 max_events, duration_ns, delay_ms, mmap_bytes;
	int max_summary, max_string, align;
	struct cli_common common;
};

struct trace_shown { const struct event *event; bool yes; };

struct trace {
	struct trace_opts *o;
	struct os os;
	struct syscall_set *set;
	struct sys_select select;
	VEC(size_t) event_ends;		/* of each -e: the end of its events in select.events */
	struct sysplan *plans;
	struct sys_lines lines;
	struct sys_summary sum;
	struct view_sys view;
	struct syscapture *capture;
	struct workload work;
	struct str out;
	int out_fd, signal_fd;
	u64 n_events, n_lines;
	u64 n_renamed;			/* of lines, when texts were made last */
	struct sys_btf *btf;		/* loaded when the first struct needs it */
	bool btf_tried;
	bool foreign;			/* the recording is not known to be of the running kernel */
	bool swap;			/* the recording has the other byte order */
	struct hmap runtimes;		/* --sched: tid -> struct trace_runtime */
	bool done, with_syscalls, off;
	int failed_write;		/* errno: after it nothing more is written */
	VEC(struct trace_shown) shown;	/* events of a recording that were looked at */
	bool hide;			/* what comes now: its stack is too short */
	bool hide_on, hide_off;		/* the events of --switch-on and --switch-off are not among those of -e */
	struct trace_events *events;	/* NULL: nothing but the capture */
};

/* ---- builtin-trace.c ---- */
#define TRACE_WRITE_BYTES (64 << 10)	/* so much text is written at once */
void trace_write(struct trace *t);
void trace_on_line(void *ctx, const struct sys_line *line);	/* ctx: struct trace */
bool trace_has_target(const struct trace_opts *o);		/* then a command only says how long */
bool trace_wants_sums(const struct trace_opts *o);
bool trace_has_events(const struct trace *t);
bool trace_wants_stacks(const struct trace *t);	/* of captured calls */

/* --sched: the times of sched:sched_stat_runtime; into the groups of the summary. */
#define TRACE_RUNTIME_EVENT "sched:sched_stat_runtime"
struct trace_runtime { u64 ns; };
void trace_add_runtime(struct trace *t, u32 tid, u64 ns);
void trace_put_runtimes(struct trace *t);

/* ---- builtin-trace-live.c ---- */
/* Sets t->capture; where this kernel has no way for it, why says so. Failure: the request itself is wrong. */
int trace_start_capture(struct trace *t, struct err *why, struct err *err);
/* Calls by the capture, or without it by events, and other events. The command, if any, is held. */
int trace_run(struct trace *t, int *status, struct err *err);

/* ---- builtin-trace-events.c: events, and without the capture calls as events ---- */
int trace_events_open(struct trace *t, const int_vec *excluded, struct err *err);
int trace_events_start(struct trace *t, struct err *err);
/* A record of the capture: shown when the events before it are known. */
void trace_spool(struct trace *t, const void *record, size_t bytes);
u64 trace_events_bound(void);
void trace_events_pass(struct trace *t, u64 bound_ns);
/* Events of CPUs that came online; true: there are others to poll. */
bool trace_events_follow(struct trace *t, bool paused, struct err *err);
void trace_events_stop(struct trace *t);
size_t trace_events_fds(const struct trace *t, int_vec *out);	/* to poll */
u64 trace_events_lost(const struct trace *t);
void trace_events_close(struct trace *t);	/* safe without */

/* ---- builtin-trace-record.c ---- */
/* The output of -o, or stderr; input_fd: of the recording that is shown, which it must not be; 0: none. */
int trace_open_output(struct trace *t, int input_fd, struct err *err);
int trace_replay(struct trace *t, struct session *s);
void trace_show_sums(struct trace *t);
/* ctx: struct trace */
void trace_no_line(void *ctx, const struct sys_line *line);
void trace_on_event(void *ctx, const struct sink_item *it);
/* The frames of a sample as lines; how many. */
unsigned trace_add_frames(const struct trace *t, const struct sink_item *it, bool kernel, struct str *out);
void trace_after_call(void *ctx, const struct sink_item *it);
void trace_sum_call(void *ctx, const struct sysrec *r);

#endif
