/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_TRACE_H
#define BUILTIN_TRACE_H
/*
 * The parts of perf trace: builtin-trace.c has options and output, builtin-trace-live.c what the BPF capture shows while it
 * runs, builtin-trace-record.c events and calls that perf record wrote.
 */
#include "util/analysis/sys-select.h"
#include "util/analysis/sys.h"
#include "util/bpf/syscapture.h"
#include "util/cli/common.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/os/workload.h"
#include "util/view/sys.h"

enum { STYLE_PERF, STYLE_STRACE };
enum { FAULTS_NONE, FAULTS_ALL, FAULTS_MAJ, FAULTS_MIN };

struct trace_opts {
	struct target target;
	opt_list events;
	const char *output, *cgroup, *filter_pids;
	const char *input, *call_graph, *event_filter;
	bool summary_only, with_summary, errno_summary, failure, full_time, comm, no_inherit, show_cpu, json, force,
			no_fds, tp_print, no_bpf;
	bool show_zeros, show_time, show_duration, show_switch, kernel_graph;
	const char *switch_on, *switch_off;
	bool tool_stats;
	int max_stack, min_stack;
	const char *map_timeout;
	int syscalls, faults;	/* syscalls -1: as it follows from the events */
	int summary_mode, style;
	u64 max_events, duration_ns, delay_ms, mmap_bytes;
	int max_summary, max_string, align;
	struct cli_common common;
};

struct trace {
	struct trace_opts *o;
	struct os os;
	struct syscall_set *set;
	struct sys_select select;
	struct sysplan *plans;
	struct sys_lines lines;
	struct sys_summary sum;
	struct view_sys view;
	struct syscapture *capture;
	struct workload work;
	struct str out;
	int out_fd, signal_fd;
	u64 n_events, n_lines;
	bool done, failed_write, with_syscalls, off;
	bool spooling;			/* records wait in spool until the events between them are known */
	struct str spool;
	size_t spool_at;
	pid_t recorder;
	bool stopped;			/* the recorder was told to end: nobody reads on */
	char *tmp;			/* what it writes */
};

/* ---- builtin-trace.c ---- */
#define TRACE_WRITE_BYTES (64 << 10)	/* so much text is written at once */
void trace_write(struct trace *t);
void trace_on_line(void *ctx, const struct sys_line *line);	/* ctx: struct trace */
bool trace_has_target(const struct trace_opts *o);		/* then a command only says how long */
bool trace_wants_sums(const struct trace_opts *o);
bool trace_has_events(const struct trace *t);

/* ---- builtin-trace-live.c ---- */
int trace_start_capture(struct trace *t, struct err *err);
/* Calls by the capture, and events, if any, by a recorder beside it. */
int trace_captured(struct trace *t, int *status, struct err *err);

/* ---- builtin-trace-record.c ---- */
/* Shows a file; t->spool, if any, is mixed in by time. */
int trace_replay(struct trace *t, const char *path, struct err *err);
void trace_show_sums(struct trace *t);
/* Without the capture, or for events alone: all is recorded, then shown. */
int trace_recorded(struct trace *t, const char *const *argv, int *status, struct err *err);
/* Beside the capture: records the events of the held workload or of the targets; returns when they are enabled. */
int trace_start_recorder(struct trace *t, struct err *err);
void trace_stop_recorder(struct trace *t);

#endif
