/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_STAT_H
#define BUILTIN_STAT_H
/*
 * perf stat: builtin-stat-options.c has the options, builtin-stat.c what is done with them.
 */
#include <stdio.h>

#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/count/count.h"
#include "util/view/stat.h"

struct stat_cmd {
	struct os os;
	struct pmu_db *db;
	struct event_list events;
	VEC(char *) texts;		/* of -e, for --for-each-cgroup */
	struct target target;
	struct count_opts count;
	struct stat_view view;
	struct cli_common common;
	bool is_report, no_inherit, null_run, no_aggr, no_merge, scale, append, sync_first,
		all_user, all_kernel, summary,
	     big_num, table, interval_clear;
	int detailed, runs, interval_count, log_fd;
	int aggr;
	s64 delay_ms;
	u64 interval_ns, timeout_ns;
	const char *cgroups, *each_cgroup, *output, *pre, *post;
	struct table_output data;
	FILE *out;
	struct str title;		/* of a recorded session */
};

extern const struct option_def stat_options[];
/* of a table whose base is, or begins with, struct stat_cmd */
int stat_set_sep(const struct opt_use *u, struct err *err);
/* The default events, modes and cgroups. */
int stat_prepare_events(struct stat_cmd *c, struct err *err);
/* Options that exclude or need each other; n_args: words of the command. 0, or the exit status. */
int stat_check(const struct cli_cmd *cmd, struct stat_cmd *c, int n_args);

#endif
