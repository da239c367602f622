/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_BROWSER_H
#define BUILTIN_BROWSER_H
/*
 * What commands with a browser have in common: whether there is to be one, its terminal, and the
 * bar that is shown while a recording is read. One owner, one thread.
 */
#include "util/analysis/hist/hist.h"
#include "util/cli/code.h"
#include "util/cli/options.h"
#include "util/session/session.h"
#include "util/stream/sink.h"
#include "util/stream/stream.h"
#include "util/view/tui/annotate.h"

struct browser_opts {
	bool asked;			/* --tui */
	bool by_default;		/* tui.COMMAND: on a terminal */
	const char *colors[N_COLORS];	/* borrowed; NULL: as built in */
};

/* [colors] */
struct option_table browser_settings(struct browser_opts *o);
/* once: the recording comes from standard input, where keys would come from, too; where --tui asks
 * for a browser even so, that is said. */
bool browser_wanted(const struct browser_opts *o, bool once);

struct browser {
	struct screen *screen;		/* NULL: there can be none here */
	struct sink *sinks[2];		/* stopped when the user has seen enough; borrowed */
	bool enough;			/* of what is read */
	double share;			/* that was read then; less than 0: not known */
	struct sink counter;
	u64 n_samples;			/* that came to it so far; atomic */
};
/* Takes the terminal, and says why not (unless quiet). */
bool browser_open(struct browser *b, const struct browser_opts *o, bool quiet);
/* While a recording is read: a bar, and Ctrl-C, until browser_loaded(). b stays where it is. */
void browser_loading(struct browser *b);
void browser_loaded(struct browser *b);
/* One more sink, where the bar is to say how many samples were read so far. */
struct sink *browser_counter(struct browser *b);
/* What is said of a recording of which not all was read; nothing, if all was. */
void browser_part_text(const struct browser *b, struct str *out);
void browser_close(struct browser *b);	/* safe on a zeroed one */

/* ---- what browsers of rows do */

/* Writes what is shown to the first of perf.hist.0, perf.hist.1 ... that is not there yet; said:
 * what became of it. */
void browser_print(void *ctx, const struct str *text, struct str *said);
/* Of which recording perf script shows samples, and what else was asked for. */
struct browser_script {
	const char *input;		/* NULL: perf.data */
	bool force;
	const struct stream_filter *rows, *samples;
	const struct symbols_opts *symbols;
};
/* Runs it with these options, too (ended by NULL); said: what went wrong. */
void browser_script(void *ctx, struct screen *s, const char *const *options, struct str *said);
/* 0, or the status of what was said: options that make no sense, a style that nobody knows. */
int browser_code_check(const struct cli_cmd *cmd, const struct code_opts *o);
/* How a browser begins. */
struct annotate_look browser_code_look(const struct code_opts *o);
struct source_files browser_code_files(const struct code_opts *o);
struct browser_code {
	struct annotate_tui_opts o;	/* all but event; group: where the event has one */
	const struct code_opts *opts;
	const struct arch_info *arch;
	struct disasm *disasm;		/* when code is asked for */
	struct access_finder *types;	/* the same; NULL: not in this build */
	struct source_files sources;
};
/* Shows the code of a function until it is left; said: why that is not possible. true: the user
 * quits. */
bool browser_annotate(struct browser_code *c, struct screen *s, const struct hist_sym *sym,
		      const struct event *e, struct str *said);
void browser_code_release(struct browser_code *c);
/* print of struct annotate_tui_opts: "NAME.annotation" in the current directory. */
void browser_print_annotation(const char *symbol, const struct str *text, struct str *said);

#endif
