/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_SCHED_OFFCPU_H
#define BUILTIN_SCHED_OFFCPU_H
/*
 * The parts of perf sched offcpu: builtin-sched-offcpu.c reads a recording, -live.c what happens
 * now, -options.c has what both share.
 */
#include "builtin-sched.h"
#include "util/analysis/off-stacks.h"
#include "util/view/off-cpu-text.h"

struct offcpu_cmd {
	struct sched_input in;
	struct off_stacks_opts opts;
	struct off_cpu_view view;
	struct off_table_opts table;
	struct symbols_opts symbols;
	const char *time, *flame;
};

extern const struct option_def offcpu_options[];	/* of a struct offcpu_cmd: of both */
/* The tables of the model, as the command was asked for them. */
void offcpu_add(struct offcpu_cmd *c, struct off_stacks *o, struct str *out);
int offcpu_live(int argc, const char **argv, void *in);	/* as cli_run_sub() starts it */

#endif
