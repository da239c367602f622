/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TOP_TEXT_H
#define VIEW_TOP_TEXT_H
/*
 * The text of "perf top --stdio", in upstream perf's layout: a title line, dashes, rows without
 * column titles; and the list of its keys.
 */
#include "util/analysis/top.h"
#include "util/view/text.h"

struct top_title {
	struct top_counts counts;	/* of the interval */
	double seconds;			/* its length */
	u64 lost_now, lost;		/* samples that there was no room for: in it, and ever */
	u64 throttled;			/* times, ever */
	double own_pct;			/* perf's own CPU time, of one CPU */
	u64 freq_hz, period;		/* how often, both 0: not one for all events */
	const char *event;
	const char *target;		/* "all, 2 CPUs" */
};

/* "   PerfTop:    5327 irqs/sec ...", dashes of that many columns, an empty line. */
void top_title_text(struct str *out, const struct top_title *t, size_t columns);
/* The rows of an event (see hist_table()). */
void top_rows_text(struct str *out, struct hist *h, const struct event *e,
		   const struct hist_view_opts *view, const struct text_opts *text);

struct top_key { char key; const char *text; char *value; };	/* value: owned, or NULL */
/* "Mapped keys:" and what they are set to; ended by a key of 0. */
void top_keys_text(struct str *out, const struct top_key *keys);

#endif
