/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_BROWSER_H
#define BUILTIN_BROWSER_H
/*
 * What commands with a browser have in common: whether there is to be one, its terminal, and the
 * bar that is shown while a recording is read. One owner, one thread.
 */
#include "util/cli/options.h"
#include "util/stream/sink.h"
#include "util/view/tui/screen.h"

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

/* print of struct annotate_tui_opts: "NAME.annotation" in the current directory. */
void browser_print_annotation(const char *symbol, const struct str *text, struct str *said);

#endif
