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
#include "util/session/diagnosis.h"
#include "util/view/doctor-text.h"
#include "util/view/draw.h"

#define MOST_ROWS 30	/* of tables whose last rows matter least */

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
	cli_page(text);
	fflush(stdout);
}

static void open_tree(const struct doctor_cmd *c, struct os *os)
{
	if (c->root)
		os_init_root(os, c->root);
	else
		os_init(os);
}

static void diagnosis_show(struct str *out, const struct diagnosis *d,
			   const struct table_output *o)
{
	const struct table *const tables[] = { &d->quality.stacks, &d->quality.unknown,
					       &d->quality.cpus, &d->quality.events };
	struct draw draw;

	if (!table_output_data(o)) {
		facts_show(out, &d->facts);
		findings_show(out, &d->findings);
		for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
			quality_show(out, tables[i], tables[i] == &d->quality.cpus ?
				     SIZE_MAX : MOST_ROWS);
		return;
	}
	draw_begin(&draw, &(struct draw_opts){ .output = *o }, out);
	draw_facts(&draw, &d->facts);
	draw_table(&draw, &d->findings);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		draw_table(&draw, tables[i]);
	draw_end(&draw);
}

static int doctor_machine(const struct doctor_cmd *c)
{
	struct table findings = { 0 };
	struct str out = STR_INIT;
	struct os os;

	open_tree(c, &os);
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

static int doctor_recording(struct doctor_cmd *c)
{
	struct session s = { 0 };
	struct quality *q = NULL;
	struct diagnosis d = { 0 };
	struct str out = STR_INIT;
	struct os packages;
	int ret = session_open(&s, &(struct session_opts){ .path = c->input, .force = c->force,
							   .quiet = c->common.quiet });

	c->stream.count_broken = c->stream.cut_broken = true;
	open_tree(c, &packages);
	if (!ret)
		ret = session_prepare(&s, &c->stream);
	if (!ret) {
		q = quality_new();
		ret = session_run(&s, (struct sink *[]){ quality_sink(q) }, 1);
	}
	if (!ret) {
		diagnose(&s, q, &packages, &d);
		diagnosis_show(&out, &d, &c->output);
		show(&out);
	}
	str_release(&out);
	diagnosis_release(&d);
	quality_free(q);
	os_release(&packages);
	return session_close(&s, ret);
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
					       cli_filter_group(&c.stream.filter),
					       cli_symbols_group(&c.stream.symbols),
					       cli_stream_group(&c.stream),
					       session_group(), cli_common_group(&c.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "doctor", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	n = check_root(&c);
	if (n)
		return n;
	return c.input ? doctor_recording(&c) : doctor_machine(&c);
}
