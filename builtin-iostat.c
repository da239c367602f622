// SPDX-License-Identifier: GPL-2.0-or-later
// perf iostat: perf stat --iostat in short.
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/base/xalloc.h"
#include "util/cli/error.h"
#include "util/cli/options.h"

/* "list", or root ports: "0000:17,0:3a". */
static bool names_ports(const char *word)
{
	return !strcmp(word, "list") ||
	       (strchr(word, ':') && !word[strspn(word, "0123456789abcdefABCDEF:,")]);
}

static bool asks_for_help(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "--help") ||
	       str_has_prefix(word, "--list-opts");
}

int cmd_iostat(int argc, const char **argv)
{
	static const char *const usage[] = { "list", "[<ports>] [<options of perf stat>] "
					     "[<command>]", NULL };
	static const char *const words[] = { "list", NULL };
	static const struct option_def none[] = { OPT_END };
	const struct option_table tables[] = { { none, NULL }, { 0 } };
	const struct cli_cmd cmd = { .name = "iostat", .usage = usage, .tables = tables,
				     .words = words, .flags = CLI_KEEP_UNKNOWN };
	VEC(const char *) all = { 0 };
	char *option = NULL;
	int at = 1, status;

	if (argc > 1 && asks_for_help(argv[1]))
		return cli_status(cli_parse(&cmd, argc, argv));
	if (argc > 1 && names_ports(argv[1])) {
		option = xasprintf("--iostat=%s", argv[1]);
		at++;
	}
	vec_push(&all, "stat");
	vec_push(&all, option ? option : "--iostat");
	while (at < argc)
		vec_push(&all, argv[at++]);
	vec_push(&all, NULL);
	status = cmd_stat((int)all.n - 1, all.v);
	vec_free(&all);
	free(option);
	return status;
}
