// SPDX-License-Identifier: GPL-2.0-or-later
// perf diff: its options.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-diff.h"
#include "util/base/num.h"
#include "util/cli/rows.h"

static const char *const computes[] = {
	[DIFF_DELTA_ABS] = "delta-abs", [DIFF_DELTA] = "delta", [DIFF_RATIO] = "ratio",
	[DIFF_WDIFF] = "wdiff", [DIFF_CYCLES] = "cycles",
};

/* "1,2", of "wdiff:1,2" */
static int parse_weights(const char *text, struct diff_opts *o, struct err *err)
{
	char *end;

	o->weight_base = strtoll(text, &end, 10);
	if (end > text && *end == ',') {
		text = end + 1;
		o->weight = strtoll(text, &end, 10);
		if (end > text && !*end)
			return 0;
	}
	return err_set(err, EINVAL, "wdiff takes two whole numbers, the weights of the old and of "
				    "the new recording: -c wdiff:1,2");
}

static int set_compute(const struct opt_use *u, struct err *err)
{
	struct diff_opts *o = &((struct diff_cmd *)u->base)->diff;
	const char *arg = u->unset ? computes[DIFF_DELTA_ABS] : u->arg + (*u->arg == '+');
	const size_t n = strcspn(arg, ":");

	for (size_t i = 0; i < ARRAY_SIZE(computes); i++) {
		if (strlen(computes[i]) != n || strncmp(computes[i], arg, n))
			continue;
		if (arg[n] && i != DIFF_WDIFF)
			break;
		o->compute = (enum diff_compute)i;
		return i == DIFF_WDIFF ? parse_weights(arg + n + (arg[n] == ':'), o, err) : 0;
	}
	return err_set(err, EINVAL, "not a way to compare: '%s' (delta-abs, delta, ratio, "
				    "wdiff:W1,W2, cycles)", arg);
}

static int set_percentage(const struct opt_use *u, struct err *err)
{
	return cli_parse_relative(u->arg, &((struct diff_cmd *)u->base)->diff.relative, err);
}

#define D struct diff_cmd
static const struct option_def diff_options[] = {
	OPT_CALL_NO('c', "compute", "delta-abs|delta|ratio|wdiff:w1,w2|cycles", set_compute,
		    "what is computed of each pair of rows (default: delta-abs)"),
	OPT_UINT('o', "order", D, diff.order, "n",
		 "order by the column of this recording (default: 1); 0: by the baseline"),
	OPT_FLAG('b', "baseline-only", D, diff.baseline_only,
		 "only rows that the baseline and another recording have"),
	OPT_FLAG('p', "period", D, diff.period, "show the periods that are compared"),
	OPT_FLAG('F', "formula", D, diff.formula, "show how each value is computed"),
	OPT_FLAG(0, "cycles-hist", D, diff.times,
		 "with -c cycles: how the cycles of the first times of each block differ"),
	OPT_FLAG(0, "stream", D, stream_diff,
		 "compare the most frequent paths through the code, by branch stacks"),
	OPT_FLAG(0, "chance", D, diff.chance,
		 "say which differences are no more than chance, by the numbers of samples"),
	OPT_STRING('s', "sort", D, keys.sort, "key[,key2...]",
		   "group rows by these keys (default: dso,symbol)"),
	OPT_STRING('C', "comms", D, stream.filter.comms, "comm[,comm...]",
		   "only samples of tasks with these names"),
	OPT_STRING('d', "dsos", D, stream.filter.dsos, "dso[,dso...]",
		   "only samples in these files"),
	OPT_STRING(0, "cpu", D, stream.filter.cpus, "cpu", "only samples of these CPUs (0-3,8)"),
	OPT_STRING(0, "time", D, stream.filter.time, "str[:str...]",
		   "only this span of time: start,stop (s, or 10%-20%); with ':' one for each"),
	OPT_CALL(0, "percentage", "relative|absolute", set_percentage,
		 "what 100% is of filtered rows: all samples (absolute) or those shown"),
	OPT_STRING('t', "field-separator", D, sep, "separator",
		   "separator between columns; becomes '.' in names"),
	OPT_FLAG(0, "json", D, json, "print the rows as JSON"),
	OPT_FLAG('D', "dump-raw-trace", D, dump, "print all records of the recordings"),
	OPT_FLAG('f', "force", D, force, "read recordings that belong to another user"),
	OPT_SETTING("hist.percentage", "relative|absolute", set_percentage),
	OPT_END
};
#undef D

struct option_table diff_option_table(struct diff_cmd *c)
{
	return (struct option_table){ diff_options, c };
}
