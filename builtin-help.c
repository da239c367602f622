// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <unistd.h>

#include "builtin.h"
#include "util/cli/error.h"
#include "util/cli/manual.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"

static void list_all(void)
{
	printf("\n usage: perf help COMMAND\n\n All commands:\n");
	for (const struct perf_command *c = perf_commands; c->name; c++)
		printf("   %-15s %s\n", c->name, c->help ? c->help : "display the manual of a command");
	printf("\n");
}

/* Pages that are no command: perf help config-file */
static int show_page(const char *name)
{
	char *page = xasprintf("perf-%s", name);
	struct str text = STR_INIT;
	int status = 0;

	if (isatty(STDOUT_FILENO) && cli_man(page))
		goto out;
	if (cli_manual_text(page, NULL, &text)) {
		cli_pager_start();
		fputs(str_cstr(&text), stdout);
	} else {
		status = cli_errorf("no manual entry for 'perf-%s'", name);
	}
out:
	str_release(&text);
	free(page);
	return status;
}

int cmd_help(int argc, const char **argv)
{
	static const char *const usage[] = { "[all] [COMMAND]", NULL };
	struct { bool all; } o = { false };
	static const struct option_def options[] = { OPT_END };
	const struct option_table tables[] = { { options, &o }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "help", .usage = usage, .tables = tables };
	const struct perf_command *c;
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (!n || !strcmp(argv[0], "all")) {
		cli_pager_start();
		list_all();
		return 0;
	}
	c = find_command(str_has_prefix(argv[0], "perf-") ? argv[0] + 5 : argv[0]);
	if (c) {
		const char *args[] = { c->name, "--help", NULL };

		return c->run(2, args);
	}
	n = absent_command(argv[0]);
	return n ? n : show_page(argv[0]);
}
