/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FINDINGS_H
#define ANALYSIS_FINDINGS_H
/*
 * What perf doctor finds, as the rows of a table: state, check, value, finding, fix. One owner.
 */
#include "util/base/table.h"

enum finding_state {
	FINDING_OK,
	FINDING_NOTE,		/* something is missing that not everybody needs */
	FINDING_BAD,		/* commands fail, or what they show is wrong or incomplete */
};

/* Zeroed before. */
void findings_init(struct table *t);
/* Texts are copied, and lines of them become one. what and fix are NULL where all is well. */
void finding_add(struct table *t, enum finding_state state, const char *check, const char *value,
		 const char *what, const char *fix);
/* How many there are of that state. */
size_t findings_count(const struct table *t, enum finding_state state);

#endif
