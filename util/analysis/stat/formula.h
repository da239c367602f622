/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_STAT_FORMULA_H
#define ANALYSIS_STAT_FORMULA_H
/*
 * Metrics bound to the events of a list: what each identifier of an expression is the sum of, and
 * at which event's rows the value is shown.
 */
#include "util/event/event.h"
#include "util/metric/metric.h"

struct stat_operand {
	const char *id;			/* borrowed from the metric's expression */
	int_vec events;			/* numbers in the list; empty: not counted */
};

struct stat_formula {
	const struct metric *metric;
	char *label;			/* "cs/sec  cs_per_second" */
	int at;				/* the number of the event; -1: no event is needed */
	const char *cgroup;		/* of its events; borrowed, or NULL */
	VEC(struct stat_operand) operands;
};

struct stat_formulas {
	VEC(struct stat_formula) v;
	/* literals, has_event and cpuid; value and source_count are not used */
	struct metric_env known;
	metric_vec asked;		/* the metrics, once each, in their order */
};

void stat_formulas_release(struct stat_formulas *f);
/* How far rows of an event that this machine lacks are left out. */
enum stat_lack { STAT_LACK_SHOWN, STAT_LACK_IN_TEXT, STAT_LACK_HIDDEN };
enum stat_lack stat_formulas_lack(const struct stat_formulas *f, int event);

#endif
