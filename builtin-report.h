/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_REPORT_H
#define BUILTIN_REPORT_H
/*
 * perf report: builtin-report-options.c has its options, builtin-report.c what is done with them,
 * builtin-report-latency.c shares of wall-clock time, builtin-report-tui.c the browser,
 * builtin-report-blocks.c blocks of code, builtin-report-flame.c the call stacks.
 */
#include "builtin-browser.h"
#include "util/analysis/hist/by-time.h"
#include "util/analysis/hist/hist.h"
#include "util/cli/code.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/rows.h"
#include "util/session/session.h"
#include "util/stream/event-switch.h"
#include "util/stream/stream.h"

struct arch_info;
struct disasm;
struct function_ipcs;
struct screen;

/* What of the recording is shown instead of rows. */
struct report_file_opts {
	bool header, header_only, show_info, stats, skip_empty, tasks, maps, dump;
};

/* Which rows there are. */
struct report_row_opts {
	struct keys_spec keys;
	const char *parent, *ignore_callees, *parallelism;
	struct event_switch_opts between;
	int socket;			/* -1: all */
	bool children, only_parents, hide_unresolved, relative, branch, mem, no_branch;
	unsigned max_frames;
	int by_time;			/* slices; 0: none */
	bool outliers, blocks;
	bool history;			/* --branch-history */
	bool ref_chains;
	u64 time_quantum_ns;
	struct stream_filter filter;	/* what the hist does of stream.filter */
};

/* How they look. */
struct report_look_opts {
	const char *sep;
	bool show_n, show_period, show_cpu_util, full_path, raw_trace, group, group_all, json;
	bool nested;
	int by_member;			/* of a group, the one that decides the order */
	double min_pct;
	bool callgraph_set;
	cli_widths widths;
	struct chain_opts chain;
	enum cli_color color;
};

struct report_opts {
	const char *input;
	bool force;
	bool stdio, gtk, flame;
	struct browser_opts browser;
	struct code_opts code;
	bool ignored;			/* accepted, without effect */
	int samples;			/* so is this */
	struct report_file_opts file;
	struct report_row_opts rows;
	struct report_look_opts look;
	struct stream_opts stream;
	struct itrace_opts itrace;
	struct cli_common common;
};

struct option_table report_option_table(struct report_opts *o);
/* After parsing: what one option means for the others, and for this recording. */
void report_finish_opts(struct report_opts *o, const struct event_list *events);

/* Whether a browser is to be shown. once: the recording comes from standard input. */
bool report_wants_browser(const struct report_opts *o, bool once);

/* builtin-report-latency.c: what its options, and those of rows, need. After report_finish_opts(),
 * before and after the session is prepared. */
void report_latency_opts(struct report_opts *o, const struct event_list *events);
int report_latency_prepare(const struct report_opts *o, struct session *s);
/* After the samples came: shares of wall-clock time that are the same as those of CPU time, and
 * were not asked for, are no columns. */
void report_latency_hide(const struct report_opts *o, const struct hist *h,
			 struct hist_keys *keys);

/* builtin-report-time.c: --by-time and --outliers. Before there are keys: which slices, as o asks
 * for; the keys get them. r->sort is to be freed. */
struct report_slices { struct by_time_opts opts; char *sort; };
int report_slices_begin(struct report_opts *o, struct session *s, struct report_slices *out);

/* builtin-report-blocks.c: blocks of code that branch stacks tell of, for --total-cycles and for
 * instructions a cycle of functions. Zeroed memory is safe to release. */
struct report_blocks {
	struct annotate *counts;	/* NULL: nobody asks */
	struct disasm *disasm;
	struct function_ipcs *ipcs;
};
/* Before the recording is read; NULL: no need of it. */
struct sink *report_blocks_sink(struct report_blocks *b, const struct report_opts *o,
				const struct hist_keys *keys);
/* After that: the keys get what they show. What cannot be shown is said. */
void report_blocks_give(struct report_blocks *b, const struct report_opts *o,
			const struct arch_info *arch, struct hist_keys *keys);
void report_blocks_release(struct report_blocks *b);

/* builtin-report-tui.c */
struct report_tui_in {
	const struct report_opts *o;
	struct session *session;
	struct hist *hist;
	const struct hist_keys *keys;
};
struct report_tui;
/* Takes the terminal, before the recording is read; sink (of the hist) is stopped when the user has
 * enough. NULL: there can be no browser here, as was said. */
struct report_tui *report_tui_begin(const struct report_opts *o, struct sink *sink,
				    const struct session *s);
/* It needs the samples, too: adds its sinks to out, and yields how many (2 at most). */
size_t report_tui_sinks(struct report_tui *t, struct sink **out);
void report_tui_show(struct report_tui *t, const struct report_tui_in *in);
/* The recording that the user wants to see now, owned by the caller; NULL: none. */
char *report_tui_next(struct report_tui *t);
void report_tui_end(struct report_tui *t);

/* builtin-report-flame.c: --flame, on a terminal and as text. */
int report_flame(const struct report_opts *o, struct session *s, struct str *out);
/* The same from the browser of rows: the recording is read again when it is first asked for. */
struct report_flame;
struct report_flame *report_flame_new(const struct report_opts *o, const struct session *s);
void report_flame_free(struct report_flame *f);
/* e: of the session that is shown. As calls.flame of struct report_tui_opts. */
bool report_flame_show(struct report_flame *f, struct screen *screen, const struct event *e,
		       struct str *said);

#endif
