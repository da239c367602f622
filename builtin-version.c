// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "builtin.h"
#include "util/cli/build-options.h"
#include "util/cli/error.h"
#include "util/cli/options.h"

struct version_opts {
	bool build_options;
};

static void list_build_options(void)
{
	size_t n;
	const struct build_option *o = build_options(&n);

	for (size_t i = 0; i < n; i++)
		build_option_print(&o[i]);
}

int cmd_version(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>]", NULL };
	static const struct option_def options[] = {
		OPT_FLAG(0, "build-options", struct version_opts, build_options,
			 "print what perf was built with"),
		OPT_END
	};
	struct version_opts o = { false };
	const struct option_table tables[] = { { options, &o }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "version", .usage = usage, .tables = tables };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	printf("perf version %s\n", PERF_RELEASE);
	if (o.build_options)
		list_build_options();
	return 0;
}
