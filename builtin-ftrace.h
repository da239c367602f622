/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_FTRACE_H
#define BUILTIN_FTRACE_H
/* The parts of perf ftrace: builtin-ftrace-run.c starts, reads and ends the kernel's tracer. */
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
	const char *tracer;		/* NULL: by the other options */
	opt_list funcs, notrace, graph, nograph;
	struct ftrace_graph_opts graph_opts;
	bool call_graph, irq_info, inherit;
	u64 buffer_bytes, delay_ms;
	struct cli_common common;
};

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

#endif
