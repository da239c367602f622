// SPDX-License-Identifier: GPL-2.0-or-later
// perf report: its options.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-report.h"
#include "util/base/num.h"

static int set_call_graph(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	if (u->unset) {
		o->look.chain.mode = CHAIN_NONE;
		return 0;
	}
	o->look.callgraph_set = true;
	if (o->look.chain.mode == CHAIN_NONE)
		o->look.chain.mode = CHAIN_GRAPH;
	return u->arg ? chain_opts_parse(&o->look.chain, u->arg, err) : 0;
}

/* "-g caller"; a word that is no call graph is reported as such, unless it is a file. */
static bool takes_call_graph(const char *word)
{
	struct chain_opts c = { 0 };

	return *word != '-' && (chain_opts_parse(&c, word, NULL) == 0 || access(word, F_OK) != 0);
}

static int set_group(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	(void)err;
	o->look.group = o->look.group_all = !u->unset;
	return 0;
}

static int set_branch(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	(void)err;
	o->rows.branch = !u->unset;
	o->rows.no_branch = u->unset;
	return 0;
}

static int set_caller(const struct opt_use *u, struct err *err)
{
	(void)err;
	((struct report_opts *)u->base)->look.chain.caller = !u->unset;
	((struct report_opts *)u->base)->look.chain.order_set = !u->unset;
	return 0;
}

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	if (u->unset) {
		o->look.min_pct = 0;
		o->look.chain.min_pct = CLI_CHAIN_MIN_PCT;
		return 0;
	}
	if (cli_parse_pct(u->arg, &o->look.min_pct, err))
		return -EINVAL;
	o->look.chain.min_pct = o->look.min_pct;
	return 0;
}

static int set_percentage(const struct opt_use *u, struct err *err)
{
	return cli_parse_relative(u->arg, &((struct report_opts *)u->base)->rows.relative, err);
}

static int set_widths(const struct opt_use *u, struct err *err)
{
	return cli_parse_widths(u->unset ? NULL : u->arg,
				&((struct report_opts *)u->base)->look.widths, err);
}

static int set_color(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	o->look.color = CLI_COLOR_AUTO;
	if (!u->unset && !cli_color_parse(u->arg, &o->look.color))
		return err_set(err, EINVAL, "not always, never or auto: '%s'", u->arg);
	return 0;
}

static int set_group_default(const struct opt_use *u, struct err *err UNUSED)
{
	((struct report_opts *)u->base)->look.group = !u->unset;
	return 0;
}

#define R struct report_opts
static const struct option_def report_options[] = {
	OPT_STRING('i', "input", R, input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_STRING('s', "sort", R, rows.keys.sort, "key[,key2...]",
		   "group rows by these keys (+key: after the default ones)"),
	OPT_STRING('F', "fields", R, rows.keys.fields, "key[,keys...]",
		   "columns to show (+key: after the default ones)"),
	{ .name = "call-graph", .short_name = 'g', .kind = OPT_KIND_CALL,
	  .flags = OPT_OPTARG | OPT_UNSETS, .takes_next = takes_call_graph,
	  .arg = "print_type,threshold[,print_limit],order,sort_key,value", .call = set_call_graph,
	  .help = "how to show call graphs (default: graph,0.5,caller,function,percent)" },
	OPT_CALL_NO('G', "inverted", NULL, set_caller,
		    "call graphs begin at the outermost caller (the same as -g caller)"),
	OPT_FLAG(0, "children", R, rows.children,
		 "add what callees used to their callers (default; --no-children disables)"),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "leave out rows below this percentage (in every event of a group)"),
	OPT_CALL(0, "percentage", "relative|absolute", set_percentage,
		 "what 100% is of filtered rows: all samples (absolute) or those shown"),
	OPT_FLAG(0, "latency", R, rows.keys.latency_first,
		 "order by shares of wall-clock time, not of CPU time (record --latency)"),
	OPT_STRING(0, "parallelism", R, rows.parallelism, "n[,n-m...]",
		   "only samples while so many threads ran at a time"),
	OPT_INT(0, "socket-filter", R, rows.socket, "n", "only samples on this processor socket"),
	OPT_STRING(0, "switch-on", R, rows.between.on, "event",
		   "only what comes after a sample of this event"),
	OPT_STRING(0, "switch-off", R, rows.between.off, "event",
		   "nothing after a sample of this event, up to the next --switch-on"),
	OPT_FLAG(0, "show-on-off-events", R, rows.between.show,
		 "the samples of --switch-on and --switch-off are shown, too"),
	OPT_FLAG('n', "show-nr-samples", R, look.show_n,
		 "show a column with the number of samples"),
	OPT_FLAG(0, "show-total-period", R, look.show_period,
		 "show a column with the sum of periods"),
	OPT_FLAG(0, "show-cpu-utilization", R, look.show_cpu_util,
		 "show the percentages of samples in the kernel, user space and guests"),
	OPT_STRING('d', "dsos", R, stream.filter.dsos, "dso[,dso...]",
		   "only samples in these files"),
	OPT_STRING('p', "parent", R, rows.parent, "regex",
		   "the callers that --sort parent groups by"),
	OPT_FLAG('x', "exclude-other", R, rows.only_parents,
		 "only samples with a caller that --parent matches"),
	OPT_STRING(0, "ignore-callees", R, rows.ignore_callees, "regex",
		   "leave out what these functions call"),
	OPT_FLAG('U', "hide-unresolved", R, rows.hide_unresolved,
		 "only rows of functions with a name"),
	OPT_CALL_NO('w', "column-widths", "width[,width...]", set_widths,
		    "fixed column widths; 0: by contents"),
	OPT_STRING('t', "field-separator", R, look.sep, "separator",
		   "separator between columns; becomes '.' in names"),
	OPT_FLAG(0, "header", R, file.header, "show the header before the rows"),
	OPT_FLAG(0, "header-only", R, file.header_only, "show only the header"),
	OPT_FLAG('I', "show-info", R, file.show_info,
		 "show the header with the machine's topology"),
	OPT_FLAG('D', "dump-raw-trace", R, file.dump, "print all records of the file"),
	OPT_FLAG(0, "stats", R, file.stats, "show how many records of each type the file has"),
	OPT_FLAG(0, "tasks", R, file.tasks, "show the recorded tasks"),
	OPT_FLAG(0, "mmaps", R, file.maps, "show the recorded tasks, and what each had mapped"),
	OPT_CALL_NO(0, "group", NULL, set_group,
		    "show the events of a group, or all, in one table (--no-group: apart)"),
	OPT_INT(0, "group-sort-idx", R, look.by_member, "n",
		"order the rows of a group by its n-th event, counted from 0"),
	OPT_FLAG(0, "ns", R, rows.keys.ns, "times of --sort time in nanoseconds"),
	OPT_FLAG(0, "raw-trace", R, look.raw_trace,
	     "show the fields of tracepoints as they are in the record"),
	OPT_FLAG(0, "full-source-path", R, look.full_path, "show the full paths of source files"),
	OPT_DURATION(0, "time-quantum", R, rows.time_quantum_ns, 1000000, "time (ms|us|ns|s)",
		     "the span of a row of --sort time (default: 100ms)"),
	OPT_UINT(0, "by-time", R, rows.by_time, "n",
		 "show when each row's samples were, in n slices of the time"),
	OPT_FLAG(0, "outliers", R, rows.outliers,
		 "show the slices of time (50, or --by-time) that differ most from the rest"),
	OPT_CALL_NO('b', "branch-stack", NULL, set_branch,
		    "rows are of recorded branches (default where there are any)"),
	OPT_FLAG(0, "branch-history", R, rows.history,
		 "recorded branches are parts of call chains, with what is known of them"),
	OPT_FLAG(0, "show-ref-call-graph", R, rows.ref_chains,
		 "events without call chains: with those of the samples before theirs"),
	OPT_FLAG(0, "stitch-lbr", R, stream.stitch_lbr,
		 "call stacks that the CPU kept go on with those of samples before theirs"),
	OPT_FLAG(0, "total-cycles", R, rows.blocks,
		 "rows are of blocks of code, by the cycles that recorded branches tell of"),
	OPT_FLAG(0, "mem-mode", R, rows.mem, "rows are of data addresses"),
	OPT_FLAG('f', "force", R, force, "read a recording that belongs to another user"),
	OPT_UINT(0, "samples", R, samples, "n",
		 "accepted: r in the browser shows all samples of what is at the cursor"),
	OPT_FLAG('H', "hierarchy", R, look.nested,
		 "show rows as a tree, a level for each sort key"),
	OPT_FLAG(0, "stdio", R, stdio, "text, also on a terminal"),
	OPT_FLAG(0, "json", R, look.json, "print the rows as JSON"),
	OPT_FLAG(0, "tui", R, browser.asked, "a browser (default on a terminal)"),
	OPT_FLAG(0, "flame", R, flame,
		 "call stacks as an icicle (flame graph), each frame as wide as its share"),
	OPT_FLAG(0, "gtk", R, gtk, "accepted: text is shown"),
	OPT_CALL_NO(0, "stdio-color", "mode", set_color, "always, never or auto"),
	{ .name = "showcpuutilization", .kind = OPT_KIND_FLAG, .flags = OPT_HIDDEN,
	  .off = offsetof(R, look.show_cpu_util), .help = "" },
	{ .name = "skip-empty", .kind = OPT_KIND_FLAG, .flags = OPT_HIDDEN,
	  .off = offsetof(R, file.skip_empty), .help = "" },
	{ .name = "disable-order", .kind = OPT_KIND_FLAG, .flags = OPT_HIDDEN,
	  .off = offsetof(R, ignored), .help = "" },
	OPT_SETTING_FIELD("report.sort-order", OPT_KIND_STRING, R, rows.keys.sort, "key[,key2...]"),
	OPT_SETTING("report.group", NULL, set_group_default),
	OPT_SETTING_FIELD("tui.report", OPT_KIND_FLAG, R, browser.by_default, NULL),
	OPT_SETTING("hist.percentage", "relative|absolute", set_percentage),
	OPT_END
};
#undef R

struct option_table report_option_table(struct report_opts *o)
{
	return (struct option_table){ report_options, o };
}

static void set_history(struct report_opts *o)
{
	const struct chain_opts *c = &o->look.chain;

	o->rows.no_branch = true;
	o->rows.branch = false;
	o->rows.keys.branch_history = true;
	o->stream.branches = (c->order_set ? c->caller : o->rows.children) ?
		STREAM_BRANCHES_OUTERMOST : STREAM_BRANCHES_INNERMOST;
	if (c->key == CHAIN_KEY_FUNCTION)	/* of a function all branches would be one */
		o->look.chain.key = CHAIN_KEY_ADDRESS;
}

void report_finish_opts(struct report_opts *o, const struct event_list *events)
{
	struct stream_filter *f = &o->stream.filter;

	o->file.tasks |= o->file.maps;
	o->rows.keys.show_n = o->look.show_n;
	o->rows.keys.show_period = o->look.show_period;
	o->rows.keys.show_cpu_util = o->look.show_cpu_util;
	o->rows.keys.parent = o->rows.parent;
	o->rows.keys.only_parents = o->rows.only_parents;
	o->rows.keys.time_quantum_ns = o->rows.time_quantum_ns;
	o->rows.keys.full_source_path = o->look.full_path;
	o->rows.keys.raw_trace = o->look.raw_trace;
	o->rows.keys.verbose = o->common.verbose > 0;
	if (o->rows.history)
		set_history(o);
	o->rows.branch |= !o->rows.no_branch && !o->rows.mem &&
		event_list_has_branches(events);
	o->rows.keys.branch_mode = o->rows.branch;
	o->rows.keys.ipc = event_list_samples(events, PERF_SAMPLE_BRANCH_STACK);
	o->rows.keys.mem_mode = o->rows.mem;
	/* these hide rows; the hist does it, because percentages are of everything */
	o->rows.filter = *f;
	o->rows.max_frames = (unsigned)MAX(o->stream.max_frames, 0);
	o->stream.max_frames = 0;
	if (o->rows.history) {
		o->stream.max_branches = (int)o->rows.max_frames;
		o->rows.max_frames = 0;
	}
	o->stream.count_broken = o->stream.cut_broken = true;
	f->comms = f->dsos = f->symbols = f->symbol_substr = f->pids = f->tids = NULL;
}

/* What is asked for is a text, whoever reads it. */
static bool is_text(const struct report_opts *o)
{
	const struct report_file_opts *f = &o->file;

	return o->stdio || o->gtk || o->rows.by_time || o->rows.outliers || o->rows.blocks ||
		o->look.json || o->look.sep || o->look.color != CLI_COLOR_AUTO || f->header ||
		f->header_only || f->stats || f->tasks || f->maps || f->dump;
}

bool report_wants_browser(const struct report_opts *o, bool once)
{
	return !is_text(o) && browser_wanted(&o->browser, once);
}
