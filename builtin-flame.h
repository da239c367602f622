/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_FLAME_H
#define BUILTIN_FLAME_H
/*
 * perf flame: builtin-flame-options.c has its options, builtin-flame.c is what is done with them,
 * builtin-flame-waits.c adds what tasks waited for.
 */
#include "builtin-picture.h"
#include "util/analysis/flame/flame.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/stream/stream.h"
#include "util/view/flame-draw.h"

/* What is written; none: a page. */
struct flame_form { bool svg, folded; };

struct flame_cmd {
	const char *input, *output, *recording;
	bool force, diff, reverse, open;
	struct flame_form form;
	const char *event;		/* of --svg and --folded; NULL: the first with samples */
	double min_pct;
	struct flame_look look;
	struct stream_opts stream;
	struct itrace_opts itrace;
	struct cli_common common;
	struct picture_record record;
	bool off_cpu;
	int n_waits;			/* --why; 0: none */
};

/* The command's tables, ended by { 0 }; room for 8. c is borrowed. */
void flame_option_tables(struct flame_cmd *c, struct option_table *out);
void flame_cmd_release(struct flame_cmd *c);
#define FLAME_CMD_INIT { .look.min_width = -1, .itrace.none = true }
/* Draws the recording c->input, or makes one of a command of n words. The exit status. */
int flame_write(struct flame_cmd *c, int n, const char **argv);

/* Zeroed before. Both sinks are for one session_run(). */
struct flame_waits {
	struct sched *model;
	struct sink *sched_sink, *why_sink;
	struct why *why;
	struct str json;		/* of why_json(), when it is finished */
};
/* Of a prepared session. < 0: the recording cannot tell; s->err says why. */
int flame_waits_open(struct flame_waits *w, struct session *s);
void flame_waits_finish(struct flame_waits *w, int n);	/* after session_run(): the n longest */
void flame_waits_release(struct flame_waits *w);

#endif
