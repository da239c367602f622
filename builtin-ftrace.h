/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_FTRACE_H
#define BUILTIN_FTRACE_H
/*
 * The parts of perf ftrace: builtin-ftrace-run.c starts, reads and ends the kernel's tracer,
 * -measure.c makes durations of its lines; -latency.c is that sub-command, and has BPF programs
 * measure instead; builtin-ftrace.c the others.
 */
#include "util/analysis/ftrace.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/os/target.h"

struct ftrace_graph_opts {
	bool args, retval, retval_hex, retaddr, nosleep_time, noirqs, verbose, tail;
	u64 thresh_us, depth;		/* 0: none */
};

struct ftrace_cmd {
	struct target target;
	/* NULL: by the other options, else (of the configuration) this one */
	const char *tracer, *usual_tracer;
	opt_list funcs, notrace, graph, nograph;
	struct ftrace_graph_opts graph_opts;
	bool call_graph, irq_info, inherit;
	u64 buffer_bytes, delay_ms;
	struct cli_common common;
};

/* All that the command line of perf ftrace says. */
struct ftrace_opts {
	struct ftrace_cmd run;
	struct table_output data;
	bool list;
	const char *pattern;		/* -F */
	bool nsec, hide_empty, bpf, percentiles;
	const char *events, *sort;
	u64 range, min, max;		/* of the histogram, in its unit */
};

extern const struct option_def ftrace_target_options[], ftrace_buffer_options[],
	ftrace_filter_options[], ftrace_trace_options[], ftrace_latency_options[],
	ftrace_profile_options[];

/* Who takes what the tracer says. */
struct ftrace_reader {
	void (*take)(void *ctx, const char *text, size_t len);	/* as it comes, cut anywhere */
	void *ctx;
	u64 n_lost;		/* afterwards: events that were overwritten */
};

/* Runs the command of argv (none: until a signal comes) under this tracer; everything is as before
 * afterwards. */
int ftrace_run(struct ftrace_cmd *c, const char *tracer, const char **argv,
	       struct ftrace_reader *reader, struct err *err);

/* What functions take, by the tracer function_graph, until the command ends. */
int ftrace_measure(struct ftrace_opts *c, const char **argv, struct ftrace_model *m, u64 *n_lost,
		   struct err *err);
/* The end of each sub-command: says what went wrong and what was lost. The exit status. */
int ftrace_finish(struct ftrace_opts *c, int ret, u64 n_lost, struct err *err);
int ftrace_latency(int argc, const char **argv, void *opts);

#endif
