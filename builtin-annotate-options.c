// SPDX-License-Identifier: GPL-2.0-or-later
// perf annotate: its options.
#include <errno.h>
#include <string.h>

#include "builtin-annotate.h"
#include "util/base/num.h"

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	struct annotate_opts *o = u->base;

	o->min_pct = 0;
	if (u->unset)
		return 0;
	if (!parse_double(u->arg, &o->min_pct) || o->min_pct < 0 || o->min_pct > 100)
		return err_set(err, EINVAL, "not a percentage: '%s'", u->arg);
	return 0;
}

static int set_group(const struct opt_use *u, struct err *err UNUSED)
{
	struct annotate_opts *o = u->base;

	o->look.group = o->look.group_all = !u->unset;
	return 0;
}

static int set_color(const struct opt_use *u, struct err *err)
{
	struct annotate_opts *o = u->base;

	o->look.color = CLI_COLOR_AUTO;
	if (!u->unset && !cli_color_parse(u->arg, &o->look.color))
		return err_set(err, EINVAL, "not always, never or auto: '%s'", u->arg);
	return 0;
}

static int set_data_type(const struct opt_use *u, struct err *err UNUSED)
{
	struct annotate_opts *o = u->base;

	o->types.on = true;
	o->types.name = u->arg && u->arg[0] ? u->arg : NULL;
	return 0;
}

static int set_type_stat(const struct opt_use *u, struct err *err UNUSED)
{
	struct annotate_opts *o = u->base;

	o->types.on = o->types.stat = true;
	return 0;
}

static int set_insn_stat(const struct opt_use *u, struct err *err UNUSED)
{
	struct annotate_opts *o = u->base;

	o->types.on = o->types.insn_stat = true;
	return 0;
}

#define A struct annotate_opts
static const struct option_def annotate_options[] = {
	OPT_STRING('i', "input", A, input, "file",
		   "the recording to read (default: perf.data; -: standard input)"),
	OPT_STRING('s', "symbol", A, symbol, "symbol", "the function to show (default: all)"),
	OPT_STRING('d', "dsos", A, stream.filter.dsos, "dso[,dso...]",
		   "only samples in these files"),
	OPT_FLAG(0, "skip-missing", A, skip_missing,
		 "say nothing of functions whose code cannot be shown"),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "leave out functions below this percentage"),
	OPT_FLAG('f', "force", A, force, "read a recording that belongs to another user"),
	OPT_FLAG('D', "dump-raw-trace", A, dump, "print all records of the file"),
	OPT_FLAG(0, "stdio", A, look.stdio,
		 "text with all addresses (default where there is no terminal)"),
	OPT_FLAG(0, "stdio2", A, look.stdio2,
		 "text with arrows and labels for jumps, and names for addresses"),
	OPT_FLAG(0, "tui", A, browser.asked, "a browser (default on a terminal)"),
	OPT_FLAG('n', "show-nr-samples", A, look.show_n, "numbers of samples, not percentages"),
	OPT_FLAG(0, "show-total-period", A, look.show_period,
		 "sums of periods, not percentages"),
	OPT_CALL_NO(0, "group", NULL, set_group,
		    "show the events of a group, or all, side by side (--no-group: apart)"),
	OPT_FLAG('l', "print-line", A, look.print_line,
		 "show the source lines of instructions, and which of them cost most"),
	OPT_FLAG('P', "full-paths", A, look.full_paths, "show the full paths of files"),
	OPT_CALL_OPTARG(0, "data-type", "type", "", set_data_type,
			"show types of data with the samples of their members (all, or this one), "
			"not code"),
	OPT_FLAG(0, "code-with-type", A, look.types,
		 "show the types of data that instructions read or write behind them"),
	OPT_CALL(0, "type-stat", NULL, set_type_stat,
		 "with types of data: for how many addresses one is known, or why not"),
	OPT_CALL(0, "insn-stat", NULL, set_insn_stat,
		 "with types of data: for how many addresses one is known, by mnemonic"),
	OPT_CALL_NO(0, "stdio-color", "mode", set_color, "always, never or auto"),
	{ .name = "skip-empty", .kind = OPT_KIND_FLAG, .flags = OPT_HIDDEN,
	  .off = offsetof(A, ignored), .help = "" },
	OPT_SETTING_FIELD("tui.annotate", OPT_KIND_FLAG, A, browser.by_default, NULL),
	OPT_END
};
#undef A

struct option_table annotate_option_table(struct annotate_opts *o)
{
	return (struct option_table){ annotate_options, o };
}
