/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_FLAME_H
#define VIEW_TUI_FLAME_H
/*
 * The browser of call stacks: the tree of perf flame as an icicle, one event at a time. One owner,
 * one thread.
 */
#include "util/analysis/flame/flame.h"
#include "util/view/tui/screen.h"

struct event_list;

struct flame_tui_opts {
	struct flame_tree *tree;	/* source lines come when frames are looked at */
	const struct event_list *events;
	const struct event *event;	/* what is shown at first; of events, with samples */
	bool whole;			/* there is nothing behind it: leaving is asked for */
	const char *part;		/* that not all was read; or NULL */
	/* Live: the tree as of now, whenever screen_key() says KEY_TIMEOUT; the one before is
	 * gone. NULL: it stays. */
	struct flame_tree *(*again)(void *ctx);
	void *again_ctx;
};

/* Until it is left. true: the user quits. */
bool flame_tui(struct screen *s, const struct flame_tui_opts *o);

#endif
