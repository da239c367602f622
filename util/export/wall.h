/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_WALL_H
#define EXPORT_WALL_H
/*
 * Times of a recording as times of the day. Any thread.
 */
#include "util/export/exporter.h"

/* Nanoseconds since 1970 of a time of the recording's clock; 0: the recording does not tell (perf
 * record -k does it). */
static inline u64 export_wall_ns(const struct export_facts *f, u64 clock_ns)
{
	return f->has_tod ? f->tod_ns + (clock_ns - f->clock_ns) : 0;
}

#endif
