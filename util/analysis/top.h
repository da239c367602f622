/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TOP_H
#define ANALYSIS_TOP_H
/*
 * What happens now, as a table that forgets: a sink before a histogram, which counts what comes in
 * each interval, and leaves out what is not to be shown. Samples are looked at before they are
 * added, so a change of the options holds for those that come. One owner.
 *
 *	each refresh: top_refresh(), rows are shown, top_step()
 *
 * or, for rows that are looked at until the next refresh, with top_init_pending(): top_turn().
 */
#include "util/analysis/hist/hist.h"

#define TOP_KEEP 7	/* of TOP_KEEP_OF; upstream perf's: an eighth is lost each refresh */
#define TOP_KEEP_OF 8

struct top_counts {
	u64 n, kernel, user, guest_kernel, guest_user;	/* samples */
	u64 exact;			/* those whose address is that of the event */
	u64 throttled;			/* times that the kernel slowed an event down */
};

struct top_opts {
	bool hide_kernel, hide_user;
	bool zero;			/* nothing is kept from one refresh to the next */
	/* --switch-on, --switch-off: samples of these events say when others count; NULL: none */
	const struct event *on, *off;
	bool show_on_off;		/* they count, too */
};

struct top {
	struct sink sink;
	struct hist *hist;		/* borrowed */
	struct top_opts o;
	struct top_counts now, last;	/* since the last step; before it */
	bool off;			/* between --switch-off and --switch-on */
	bool pending;			/* samples wait beside the hist */
	struct sink *also;		/* takes what counts, too; borrowed, or NULL */
};

/* The hist may not be changed by others from here on. */
void top_init(struct top *t, struct hist *h, const struct top_opts *o);
/* The same, where rows stay as they are between two top_turn(). also: see struct top. */
void top_init_pending(struct top *t, struct hist *h, const struct top_opts *o, struct sink *also);
/* What was counted before loses an eighth (or all), and what came since then is added; rows as of
 * now; last are the counts since the last turn. What was borrowed of the rows is gone. */
void top_turn(struct top *t);
/* Rows as of now; last are the counts since the last refresh. */
void top_refresh(struct top *t);
/* After the rows were shown: all that was counted loses an eighth, or (o.zero) is forgotten. */
void top_step(struct top *t);

/* The events of --switch-on and --switch-off, among those of the list. -EINVAL: not there. */
int top_find_switches(struct top_opts *o, const struct event_list *l, const char *on,
		      const char *off, struct err *err);

#endif
