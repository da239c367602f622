// SPDX-License-Identifier: GPL-2.0-or-later
// perf doctor: what stands in the way of measuring here, and how good a recording is.
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "builtin.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/session/checks.h"
#include "util/view/doctor-text.h"
#include "util/view/draw.h"

struct doctor_cmd {
	const char *input, *root;
	bool force;
	struct stream_opts stream;
	struct table_output output;
	struct cli_common common;
};

static const struct option_def doctor_options[] = {
	OPT_STRING('i', "input", struct doctor_cmd, input, "file",
	     "look at this recording instead of the machine (-: standard input)"),
	OPT_FLAG('f', "force", struct doctor_cmd, force,
		 "read a recording that belongs to another user"),
	OPT_STRING(0, "root", struct doctor_cmd, root, "directory",
	     "a saved tree of another machine: its proc, sys, tracing, boot and var"),
	OPT_END
};

static void show(const struct str *text)
{
	cli_pager_start();
	fwrite(str_cstr(text), 1, text->len, stdout);
	fflush(stdout);
}

static int doctor_machine(const struct doctor_cmd *c)
{
	struct table findings = { 0 };
	struct str out = STR_INIT;
	struct os os;

	if (c->root)
		os_init_root(&os, c->root);
	else
		os_init(&os);
	findings_init(&findings);
	checks_run(&findings, &os, getenv("DEBUGINFOD_URLS"));
	if (table_output_data(&c->output))
		draw_only_table(&out, &findings, &c->output);
	else
		findings_show(&out, &findings);
	show(&out);
	str_release(&out);
	table_release(&findings);
	os_release(&os);
	return 0;
}

static int check_root(const struct doctor_cmd *c)
{
	struct stat st;

	if (!c->root || (!stat(c->root, &st) && S_ISDIR(st.st_mode)))
		return 0;
	return cli_errorf("--root: '%s' is no directory", c->root);
}

int cmd_doctor(int argc, const char **argv)
{
	struct doctor_cmd c = { 0 };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { doctor_options, &c }, cli_output_group(&c.output),
					       cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "doctor", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	n = check_root(&c);
	return n ? n : doctor_machine(&c);
}
