// SPDX-License-Identifier: GPL-2.0-or-later
// perf check: what this perf can do, for scripts.
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "util/base/str.h"
#include "util/cli/build-options.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/options.h"

/* 1 on, 0 off, -1 unknown. A macro that several features share is on if all of them are. */
static int check_feature(const char *name, bool quiet)
{
	const struct build_option *o = build_option_find(name, NULL);
	int on = 1;

	if (!o) {
		if (!quiet)
			cli_errorf("unknown feature '%s'; 'perf version --build-options' lists all",
				   name);
		return -1;
	}
	for (; o; o = build_option_find(name, o)) {
		on = on && build_option_is_on(o);
		if (!quiet)
			build_option_print(o);
	}
	return on;
}

/* perf check feature NAME[,NAME...]: 0 if all are built in */
static int run_feature(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "<name>[,<name>...]", NULL };
	struct cli_common *common = ctx;
	const struct option_table tables[] = { cli_common_group(common), { 0 } };
	const struct cli_cmd cmd = { .name = "check feature", .usage = usage, .tables = tables };
	int n = cli_parse(&cmd, argc, argv), ret = 0;
	char *list, *rest, *name;

	if (n < 0)
		return cli_status(n);
	if (!n)
		return cli_usage_error(&cmd, "which feature?");
	for (int i = 0; i < n; i++) {
		rest = list = xstrdup(argv[i]);
		while ((name = strsep(&rest, ",")))
			if (*name && check_feature(name, common->quiet) != 1)
				ret = CLI_FAILED;
		free(list);
	}
	return ret;
}

int cmd_check(int argc, const char **argv)
{
	static const char *const usage[] = { "feature <name>[,<name>...] [<options>]", NULL };
	static const char *const words[] = { "feature", NULL };
	static const struct cli_sub subs[] = { { "feature", run_feature }, { NULL, NULL } };
	struct cli_common common = { 0 };
	const struct option_table tables[] = { cli_common_group(&common), { 0 } };
	const struct cli_cmd cmd = { .name = "check", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &common);
}
