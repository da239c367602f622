/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_ANNOTATE_MEMBERS_H
#define ANALYSIS_ANNOTATE_MEMBERS_H
/*
 * The events of one listing (one, or the members of a group side by side), with what was counted of
 * them in one symbol. Zeroed memory is empty. One owner.
 */
#include "util/analysis/annotate/listing.h"

struct annotate_members {
	VEC(const struct event *) events;
	VEC(struct annotate_sum) symbol_totals, event_totals;
	VEC(struct annotate_sum *) sums;	/* owned */
	const struct code_blocks *all_blocks;	/* borrowed */
	struct insn_blocks *blocks;		/* owned; NULL: none */
	bool cycles;				/* they tell some */
	u64 most_runs;				/* of an instruction */
};

/* e first; with group the other members of its group, too. */
void annotate_members_find(struct annotate_members *m, const struct annotate *a,
			   const struct event_list *l, const struct event *e, bool group);
void annotate_members_count(struct annotate_members *m, const struct listing *l,
			    const struct annotate_symbol *s);
/* Borrows what m has. */
struct listing_counts annotate_members_counts(const struct annotate_members *m,
					      enum annotate_percent percent);
void annotate_members_release(struct annotate_members *m);

#endif
