/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_REPORT_H
#define BUILTIN_REPORT_H
/*
 * perf report: builtin-report-options.c has its options, builtin-report.c what is done with them.
 */
#include "util/analysis/hist/hist.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/stream/stream.h"

#define CHAIN_MIN_PCT 0.5	/* of its parent, that a branch of a call graph has at least */

struct report_opts {
	const char *input, *ignored;
	struct keys_spec keys;
	const char *parent, *ignore_callees, *sep;
	bool children, only_parents, hide_unresolved, show_n, show_period, show_cpu_util, full_path,
		raw_trace, force;
	bool header, header_only, show_info, relative, group, group_all, stats, tasks, mmaps, dump,
		branch, mem, no_branch;
	bool stdio, json, tui, gtk, ignore_flag;
	unsigned max_frames;
	int ignored_int, socket;
	double min_pct;
	bool min_pct_set, callgraph_set;
	u64 time_quantum_ns;
	VEC(u16) widths;
	struct chain_opts chain;
	enum cli_color color;
	struct stream_opts stream;
	struct stream_filter filter;	/* what the hist does of stream.filter */
	struct cli_common common;
};

struct option_table report_option_table(struct report_opts *o);

#endif
