/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HEATMAP_PAIRS_H
#define ANALYSIS_HEATMAP_PAIRS_H
/*
 * Two events that belong together where fields of theirs are equal: how long it took from the
 * first to the second. A field is one of the event's own, else tid, pid, cpu or comm of the sample;
 * "a=b" is a of the first and b of the second.
 *
 *	struct pairs *p = pairs_new(&o, path, &err);	// NULL: err says why
 *	rc = session_run(s, (struct sink *[]){ pairs_sink(p) }, 1);
 *	... pairs_found(p, &n) ...
 *	pairs_free(p);
 *
 * Of two firsts without a second between them the older one is not paired. One owner.
 */
#include "util/analysis/heatmap/heatmap.h"
#include "util/stream/sink.h"

#define PAIRS_MAX_KEYS 4

struct pairs_opts {
	const struct event_list *events;
	bool swap;			/* the recording has the other byte order */
	const char *start, *end;	/* names of events, with commas between them */
	const char *keys;		/* fields, with commas between them */
	/* NULL, or fields of the second: a first with that key is none any more */
	const char *cancel;
	const char *only;		/* NULL: all; or the numbers that the first key may have */
};

struct pairs_stats {
	u64 n_starts, n_ends;
	u64 n_open;			/* starts without an end */
	u64 n_lone;			/* ends without a start */
	u64 n_bad;			/* samples without time or fields */
};

struct pairs;
struct pairs *pairs_new(const struct pairs_opts *o, const char *path, struct err *err);
void pairs_free(struct pairs *p);		/* NULL is fine */
struct sink *pairs_sink(struct pairs *p);
/* After the last sample. In the order of their ends; borrowed. */
const struct heat_pair *pairs_found(const struct pairs *p, size_t *n);
void pairs_get_stats(const struct pairs *p, struct pairs_stats *out);

struct pairs_preset {
	const char *name, *title;
	const char *start, *end, *keys, *cancel;
	bool system_wide;	/* they happen in other tasks than those that they are about */
	bool by_task;		/* the first key is the thread that it is about */
};
const struct pairs_preset *pairs_preset(const char *name);	/* NULL: no such */

#endif
