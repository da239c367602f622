/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_ANNOTATE_SYMBOLS_H
#define VIEW_TUI_ANNOTATE_SYMBOLS_H
/*
 * The browser of perf annotate: the functions that have samples, the one with most first, one event
 * (or group) at a time, and the code of each. One owner, one thread.
 */
#include "util/view/tui/annotate.h"

struct annotate_symbols_opts {
	struct annotate_tui_opts code;	/* event: any; group: members are shown side by side */
	double min_pct;			/* functions below it are left out */
	bool one;			/* a function was asked for: its code is shown at once */
	const char *part;		/* said at the bottom: that not all was read; or NULL */
};

/* Until somebody quits, or the terminal is closed. */
void annotate_tui_symbols(struct screen *s, const struct annotate_symbols_opts *o);

#endif
