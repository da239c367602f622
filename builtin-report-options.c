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
		o->chain.mode = CHAIN_NONE;
		return 0;
	}
	o->callgraph_set = true;
	if (o->chain.mode == CHAIN_NONE)
		o->chain.mode = CHAIN_GRAPH;
	return u->arg ? chain_opts_parse(&o->chain, u->arg, err) : 0;
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
	o->group = o->group_all = !u->unset;
	return 0;
}

static int set_branch(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	(void)err;
	o->branch = !u->unset;
	o->no_branch = u->unset;
	return 0;
}

static int set_caller(const struct opt_use *u, struct err *err)
{
	(void)err;
	((struct report_opts *)u->base)->chain.caller = !u->unset;
	((struct report_opts *)u->base)->chain.order_set = !u->unset;
	return 0;
}

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	if (u->unset) {
		o->min_pct = 0;
		o->chain.min_pct = CHAIN_MIN_PCT;
		return 0;
	}
	if (!parse_double(u->arg, &o->min_pct) || o->min_pct < 0 || o->min_pct > 100)
		return err_set(err, EINVAL, "not a percentage: '%s'", u->arg);
	o->chain.min_pct = o->min_pct;
	return 0;
}

static int set_percentage(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	if (strcmp(u->arg, "relative") && strcmp(u->arg, "absolute"))
		return err_set(err, EINVAL, "--percentage is relative or absolute, not '%s'",
			       u->arg);
	o->relative = !strcmp(u->arg, "relative");
	return 0;
}

static int set_widths(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;
	char *copy = xstrdup(u->unset ? "" : u->arg), *save = NULL;
	int rc = 0, v;

	vec_clear(&o->widths);
	for (char *p = strtok_r(copy, ",", &save); p && !rc; p = strtok_r(NULL, ",", &save)) {
		if (parse_int(p, &v) && v >= 0 && v < 1000)
			vec_push(&o->widths, (u16)v);
		else
			rc = err_set(err, EINVAL, "not a list of column widths: '%s'", u->arg);
	}
	free(copy);
	return rc;
}

static int set_color(const struct opt_use *u, struct err *err)
{
	struct report_opts *o = u->base;

	o->color = CLI_COLOR_AUTO;
	if (!u->unset && !cli_color_parse(u->arg, &o->color))
		return err_set(err, EINVAL, "not always, never or auto: '%s'", u->arg);
	return 0;
}

static int set_group_default(const struct opt_use *u, struct err *err UNUSED)
{
	((struct report_opts *)u->base)->group = !u->unset;
	return 0;
}

/* [call-graph]: how chains are shown, where there are any. The words are those that def->arg
 * lists. */
static int set_chain_word(const struct opt_use *u, struct err *err)
{
	const char *w = u->def->arg;

	for (size_t n = strcspn(w, "|"), len = strlen(u->arg); *w; w += n + (w[n] == '|'),
	     n = strcspn(w, "|"))
		if (n == len && !strncmp(w, u->arg, n))
			return chain_opts_parse(&((struct report_opts *)u->base)->chain, u->arg,
						err);
	return err_set(err, EINVAL, "it is one of %s", u->def->arg);
}

static int set_chain_threshold(const struct opt_use *u, struct err *err)
{
	double pct;

	if (!parse_double(u->arg, &pct) || pct < 0 || pct > 100)
		return err_set(err, EINVAL, "not a percentage");
	((struct report_opts *)u->base)->chain.min_pct = pct;
	return 0;
}

static int set_chain_limit(const struct opt_use *u, struct err *err)
{
	u64 n;

	if (!parse_u64(u->arg, &n) || n > UINT32_MAX)
		return err_set(err, EINVAL, "not a number of entries");
	((struct report_opts *)u->base)->chain.print_limit = (unsigned)n;
	return 0;
}

#define R struct report_opts
static const struct option_def report_options[] = {
	OPT_STRING('i', "input", R, input, "file", "input file name"),
	OPT_STRING('s', "sort", R, keys.sort, "key[,key2...]",
		   "rows are sorted and grouped by these keys (+key: after the default ones)"),
	OPT_STRING('F', "fields", R, keys.fields, "key[,keys...]",
		   "columns to show (+key: after the default ones)"),
	{ .name = "call-graph", .short_name = 'g', .kind = OPT_KIND_CALL,
	  .flags = OPT_OPTARG | OPT_UNSETS, .takes_next = takes_call_graph,
	  .arg = "print_type,threshold[,print_limit],order,sort_key,value", .call = set_call_graph,
	  .help = "show call graphs: graph|flat|fractal|folded|none, least percentage, most "
		  "entries, caller|callee,\n"
		  "function|address|srcline, percent|period|count. Default: "
		  "graph,0.5,caller,function,percent" },
	OPT_CALL_NO('G', "inverted", NULL, set_caller,
		    "alias for inverted caller based call graph"),
	OPT_FLAG(0, "children", R, children,
		 "accumulate what callees used in their callers (default; --no-children disables)"),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "don't show entries under that percent"),
	OPT_CALL(0, "percentage", "relative|absolute", set_percentage,
		 "what 100% is when entries are filtered"),
	OPT_FLAG('n', "show-nr-samples", R, show_n, "show a column with the number of samples"),
	OPT_FLAG(0, "show-total-period", R, show_period, "show a column with the sum of periods"),
	OPT_FLAG(0, "show-cpu-utilization", R, show_cpu_util,
		 "show the percentage of samples in each cpu mode"),
	OPT_STRING('d', "dsos", R, stream.filter.dsos, "dso[,dso...]",
		   "only consider symbols in these dsos"),
	OPT_STRING('p', "parent", R, parent, "regex",
		   "regular expression of callers for --sort parent"),
	OPT_FLAG('x', "exclude-other", R, only_parents,
		 "only samples with a caller that --parent matches"),
	OPT_STRING(0, "ignore-callees", R, ignore_callees, "regex",
		   "cut off what these functions call"),
	OPT_FLAG('U', "hide-unresolved", R, hide_unresolved,
		 "only show entries that are resolved to a symbol"),
	OPT_CALL_NO('w', "column-widths", "width[,width...]", set_widths,
		    "fixed column widths; 0: by contents"),
	OPT_STRING('t', "field-separator", R, sep, "separator",
		   "separator between columns; becomes '.' in names"),
	OPT_FLAG(0, "header", R, header, "show the data file's header"),
	OPT_FLAG(0, "header-only", R, header_only, "show only the data file's header"),
	OPT_FLAG('I', "show-info", R, show_info, "show extended information in the header"),
	OPT_FLAG('D', "dump-raw-trace", R, dump, "dump all records in ASCII"),
	OPT_FLAG(0, "stats", R, stats, "show how many records of each type the file has"),
	OPT_FLAG(0, "tasks", R, tasks, "show the recorded tasks"),
	OPT_CALL_NO(0, "group", NULL, set_group,
		    "show the events of a group together (default), without a group all;\n"
		    "--no-group: one by one"),
	OPT_FLAG(0, "raw-trace", R, raw_trace, "show tracepoint fields without their print format"),
	OPT_FLAG(0, "full-source-path", R, full_path, "show the full paths of source files"),
	OPT_DURATION(0, "time-quantum", R, time_quantum_ns, 1000000, "time (ms|us|ns|s)",
		     "width of a row of --sort time (100ms)"),
	OPT_CALL_NO('b', "branch-stack", NULL, set_branch,
		    "rows are of recorded branches (default where there are some)"),
	OPT_FLAG(0, "mem-mode", R, mem, "rows are of data addresses"),
	OPT_FLAG('f', "force", R, force, "don't complain about the file's owner"),
	OPT_FLAG(0, "stdio", R, stdio, "text output (the only one so far)"),
	OPT_FLAG(0, "json", R, json, "the rows as JSON"),
	OPT_FLAG(0, "tui", R, tui, "accepted; text is shown"),
	OPT_FLAG(0, "gtk", R, gtk, "accepted; text is shown"),
	OPT_CALL_NO(0, "stdio-color", "mode", set_color, "always, never or auto"),
	{ .name = "showcpuutilization", .kind = OPT_KIND_FLAG, .flags = OPT_HIDDEN,
	  .off = offsetof(R, show_cpu_util), .help = "" },
	{ .name = "skip-empty", .kind = OPT_KIND_FLAG, .flags = OPT_HIDDEN,
	  .off = offsetof(R, ignore_flag), .help = "" },
	{ .name = "disable-order", .kind = OPT_KIND_FLAG, .flags = OPT_HIDDEN,
	  .off = offsetof(R, ignore_flag), .help = "" },
	OPT_SETTING_FIELD("report.sort-order", OPT_KIND_STRING, R, keys.sort, "key[,key2...]"),
	OPT_SETTING("report.group", NULL, set_group_default),
	OPT_SETTING("hist.percentage", "relative|absolute", set_percentage),
	OPT_SETTING("call-graph.print-type", "graph|fractal|flat|folded|none", set_chain_word),
	OPT_SETTING("call-graph.order", "caller|callee", set_chain_word),
	OPT_SETTING("call-graph.sort-key", "function|address|srcline", set_chain_word),
	OPT_SETTING("call-graph.threshold", "percent", set_chain_threshold),
	OPT_SETTING("call-graph.print-limit", "n", set_chain_limit),
	OPT_END
};
#undef R

struct option_table report_option_table(struct report_opts *o)
{
	return (struct option_table){ report_options, o };
}
