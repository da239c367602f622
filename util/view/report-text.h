/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_REPORT_TEXT_H
#define VIEW_REPORT_TEXT_H
/*
 * The text of "perf report --stdio": comments, one table an event, a tip at the end.
 */
#include "util/view/text.h"

struct by_time_opts;
struct code_blocks;
struct report_text_opts {
	bool quiet;			/* rows only */
	/* the file's header text, or NULL: a line that says how to get it */
	const char *header;
	const char *notes;		/* lines "# comm: x", or "" */
	/* of accesses to memory, whose periods are weights: the keys that rows are of, or ""; NULL:
	 * of others */
	const char *weight_keys;
	const int *socket;		/* the only one whose samples are shown; NULL: of all */
	u64 lost;
	const char *time_slices;	/* of --time, or NULL */
	bool group;
	bool relative;
	struct text_opts text;
	struct hist_view_opts view;
	bool tip;			/* one at the end */
	const struct by_time_opts *by_time;	/* rows by slices of time, or NULL */
	const struct code_blocks *blocks;	/* rows of these instead, or NULL */
};

/* The same as one JSON object: { "lost": n, "events": [ { "name", "samples", "period", "rows":
 * [...] } ] } */
void report_data(struct str *out, struct hist *h, const struct event_list *events,
		 const struct report_text_opts *o);
void report_text(struct str *out, struct hist *h, const struct event_list *events,
		 const struct report_text_opts *o);
/* Whether the event has samples and, with group, is no member of a group that another leads. */
bool report_event_shown(const struct hist *h, const struct event_list *l, const struct event *e,
			bool group);
/* Samples and their periods (relative: what the filters left); with group: of all members. */
struct hist_total report_event_total(const struct hist *h, const struct event_list *l,
				     const struct event *e, bool relative, bool group);
/* One of those that are of use here, by what was recorded: the same file has the same tip. */
const char *report_tip(const struct hist *h, const struct event_list *events);

#endif
