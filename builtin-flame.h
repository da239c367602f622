/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_FLAME_H
#define BUILTIN_FLAME_H
/*
 * perf flame: builtin-flame-options.c has its options, and hands those of perf record on;
 * builtin-flame.c is what is done with them.
 */
#include "util/analysis/flame/flame.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/stream/stream.h"
#include "util/view/flame-draw.h"

/* What is written; none: a page. */
struct flame_form { bool svg, folded; };

/* Options of perf record that choose samples where a recording is read. Borrowed from argv. */
struct flame_chosen { const char *pids, *tids, *cpus, *engine; };

struct flame_cmd {
	const char *input, *output, *recording;
	bool force, diff, reverse, open;
	struct flame_form form;
	const char *event;		/* of --svg and --folded; NULL: the first with samples */
	double min_pct;
	struct flame_look look;
	struct stream_opts stream;
	struct cli_common common;
	opt_list record;		/* options for perf record; owned texts */
	struct option_def *passed;	/* their table */
	struct flame_chosen chosen;
	const struct option_def *other;	/* the first that is only for recording, or NULL */
	bool target;			/* -a or -u: there is something to record */
	bool stacks;			/* -g or --call-graph says how stacks are recorded */
};

/* The command's tables, ended by { 0 }; room for 8. c is borrowed. */
void flame_option_tables(struct flame_cmd *c, struct option_table *out);
void flame_cmd_release(struct flame_cmd *c);

#endif
