/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_REPORT_H
#define VIEW_TUI_REPORT_H
/*
 * The browser of perf report: the rows and call trees that --stdio prints, one event at a time.
 * Call trees are made when they are looked at. Of what happens now (live) they are made again
 * whenever screen_key() says KEY_TIMEOUT. One owner, one thread.
 */
#include "util/analysis/hist/hist.h"
#include "util/view/tui/screen.h"

/* What the browser asks of the command; a NULL function: there is no such thing. */
struct report_tui_calls {
	void *ctx;
	/* the header's text */
	void (*header)(void *ctx, struct str *out);
	/* Writes what is shown; said: what the line at the bottom has then. */
	void (*print)(void *ctx, const struct str *text, struct str *said);
	/* Shows the code of the function until it is left; said: why that is not possible. true:
	 * the user quits. */
	bool (*annotate)(void *ctx, struct screen *s, const struct hist_sym *sym,
			 const struct event *e, struct str *said);
	/* Shows the call stacks of the event's samples; the same results. Live: again(again_ctx) is
	 * to be called instead of refresh(). */
	bool (*flame)(void *ctx, struct screen *s, const struct event *e,
		      void (*again)(void *again_ctx), void *again_ctx, struct str *said);
	/* Asks for another recording. true: that one is to be shown, and this browser ends. */
	bool (*other)(void *ctx, struct screen *s, struct str *said);
};

/* Of what happens now. refresh NULL: it is a recording, and nothing else is looked at. */
struct report_tui_live {
	void *ctx;
	/* Makes the hist as of now; it has no rows that are borrowed. */
	void (*refresh)(void *ctx);
	/* adds what the title ends with */
	void (*title)(void *ctx, struct str *out);
	/* A key of the command; said: see print(). false: it is none. */
	bool (*key)(void *ctx, u32 code, struct str *said);
	const char *help;		/* its keys, for the end of the list of keys */
};

struct report_tui_opts {
	struct hist *hist;
	const struct hist_keys *keys;
	const struct event_list *events;
	struct hist_view_opts view;
	const u16 *widths;		/* -w: of the first columns; 0: by contents */
	size_t n_widths;
	bool group, relative;
	const char *tip;		/* for the line at the bottom, or NULL */
	const char *part;		/* instead of the tip: that not all was read; or NULL */
	struct report_tui_calls calls;
	struct report_tui_live live;
};

/* Until somebody quits, or the terminal is closed. */
void report_tui(struct screen *s, const struct report_tui_opts *o);

#endif
