// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "builtin.h"
#include "util/cli/error.h"
#include "util/cli/manual.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"

struct help_opts {
	bool all, info, man, web;
};

const struct perf_command *find_command(const struct perf_command *commands, const char *name)
{
	for (const struct perf_command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static void list_all(const struct perf_command *commands)
{
	printf("\n usage: perf help COMMAND\n\n All commands:\n");
	for (const struct perf_command *c = commands; c->name; c++)
		printf("   %-15s %s\n", c->name, c->help ? c->help :
		       "display the manual of a command");
	printf("\n");
}

/* Pages that are no command: perf help data-output, and perf(1) itself */
static int show_page(const char *name)
{
	char *page = strcmp(name, "perf") ? xasprintf("perf-%s", name) : xstrdup(name);
	struct str text = STR_INIT;
	int status = 0;

	if (isatty(STDOUT_FILENO) && cli_man(page))
		goto out;
	if (cli_manual_text(page, NULL, &text)) {
		cli_pager_start();
		fputs(str_cstr(&text), stdout);
	} else {
		status = cli_errorf("no manual entry for '%s'", page);
	}
out:
	str_release(&text);
	free(page);
	return status;
}

static int show(const struct perf_command *commands, const char *name)
{
	const struct perf_command *c;

	name += str_has_prefix(name, "perf-") ? 5 : 0;
	c = find_command(commands, name);
	if (c) {
		const char *args[] = { c->name, "--help", NULL };

		return c->run(2, args);
	}
	return show_page(name);
}

/* Other perfs can show these if somebody has made them; nobody makes them of this one. */
static int no_pages(const char *kind, const char *name)
{
	struct err err = ERR_INIT;

	err_set(&err, ENOENT, "this perf has no %s pages", kind);
	if (name)
		err_hint(&err, "'perf help %s' shows the manual page", name);
	else
		err_hint(&err, "'perf help' lists all commands, 'perf help COMMAND' shows the "
			       "manual page of one");
	return cli_error(&err);
}

int help_command(const struct perf_command *commands, int argc, const char **argv)
{
	static const char *const usage[] = { "[--all] [--man|--web|--info] [COMMAND]", NULL };
	struct help_opts o = { false };
	static const struct option_def options[] = {
		OPT_FLAG('a', "all", struct help_opts, all, "list all commands"),
		OPT_FLAG('i', "info", struct help_opts, info,
			 "info pages (not supported)"),
		OPT_FLAG('m', "man", struct help_opts, man,
			 "show the manual page of COMMAND (the default)"),
		OPT_FLAG('w', "web", struct help_opts, web,
			 "pages for a browser (not supported)"),
		OPT_END
	};
	const struct option_table tables[] = { { options, &o }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "help", .usage = usage, .tables = tables };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (o.info || o.web)
		return no_pages(o.info ? "info" : "web", n ? argv[0] : NULL);
	if (o.all || !n || !strcmp(argv[0], "all")) {
		cli_pager_start();
		list_all(commands);
		return 0;
	}
	return show(commands, argv[0]);
}
