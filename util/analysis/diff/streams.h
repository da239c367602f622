/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_DIFF_STREAMS_H
#define ANALYSIS_DIFF_STREAMS_H
/*
 * The paths through the code that samples took most often (by branch stacks, as lines of the
 * source) in one recording and in another. Pure functions.
 */
#include "util/analysis/hist/hist.h"

/* Of each recording at most so many. */
#define DIFF_STREAMS 10

struct diff_streams_of {
	struct hist *hist;		/* finished; with branches, and chains by lines */
	const struct event *event;	/* NULL: it has no such event */
};

enum diff_stream_column { STREAM_FRAMES, STREAM_OLD_CYCLES, STREAM_OLD_HITS, STREAM_NEW_CYCLES,
			  STREAM_NEW_HITS };
/* A row a path: those that both have, then those of the old one alone, and of the new one, the most
 * frequent first; what one has not is CELL_NONE there. Owns its texts. */
void diff_streams_table(const struct diff_streams_of *old, const struct diff_streams_of *new,
			struct table *out);

#endif
