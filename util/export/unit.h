/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_UNIT_H
#define EXPORT_UNIT_H
/*
 * What the period of an event is measured in. Any thread.
 */
#include "util/event/event.h"

/* "nanoseconds" for clocks; NULL: a number of events. */
static inline const char *export_unit(const struct event *e)
{
	const bool clock = e && e->attr.type == PERF_TYPE_SOFTWARE &&
		(e->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		 e->attr.config == PERF_COUNT_SW_TASK_CLOCK);

	return clock ? "nanoseconds" : NULL;
}

#endif
