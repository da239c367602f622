/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_ANNOTATE_H
#define VIEW_TUI_ANNOTATE_H
/*
 * The browser of one function's code: the lines of perf annotate --stdio2. One owner, one thread.
 */
#include "util/analysis/annotate/members.h"
#include "util/analysis/types/access.h"
#include "util/view/annotate-text.h"
#include "util/view/tui/screen.h"

struct annotate_tui_opts {
	const struct annotate *counts;
	const struct event_list *events;
	const struct event *event;
	bool group;
	struct listing_opts listing;
	struct annotate_look look;
	enum annotate_percent percent;
	/* Writes what is shown to a file that is called after the symbol; said: what the line at
	 * the bottom has then. NULL: there is no such thing. */
	void (*print)(const char *symbol, const struct str *text, struct str *said);
	/* Shows the symbol's samples as text; said: see print. NULL: there is no such thing. */
	void (*script)(void *ctx, struct screen *s, const char *const *options, struct str *said);
	void *script_ctx;
	/* finds types of data when they are asked for; NULL: none is known */
	struct access_finder *types;
	/* Of what happens now: makes counts as of now, whenever screen_key() says KEY_TIMEOUT.
	 * NULL: they stay as they are. */
	void (*refresh)(void *ctx);
	void *refresh_ctx;
	/* Of the next listing: look and percent become what keys made of them. NULL: forgotten. */
	struct annotate_tui_opts *next;
};

enum annotate_tui_end { ANNOTATE_TUI_BACK, ANNOTATE_TUI_QUIT, ANNOTATE_TUI_NOT_SHOWN,
			/* of a listing alone: another function is to be shown */
			ANNOTATE_TUI_NEXT, ANNOTATE_TUI_PREVIOUS };
/* Until it is left; keys go on to other functions of the event, by what they used. Not shown: said
 * has the reason. */
enum annotate_tui_end annotate_tui(struct screen *s, const struct annotate_tui_opts *o,
				   const struct annotate_symbol *sym, struct str *said);
/* The same of a listing that is there already. */
enum annotate_tui_end annotate_tui_listing(struct screen *s, const struct annotate_tui_opts *o,
					   const struct annotate_symbol *sym, struct listing *l);

#endif
