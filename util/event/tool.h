/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_TOOL_H
#define EVENT_TOOL_H
/*
 * Events that perf counts itself, where the kernel has no counter: times of the session
 * (duration_time, user_time, system_time), and facts of the machine (num_cpus ...). They can be
 * counted, not sampled. Any thread.
 */
#include "util/event/event.h"

enum event_tool {
	EVENT_TOOL_NONE,
	EVENT_TOOL_DURATION, EVENT_TOOL_USER, EVENT_TOOL_SYSTEM,	/* in ns; of the session */
	/* facts: the same whenever they are read */
	EVENT_TOOL_CORE_WIDE, EVENT_TOOL_HAS_PMEM, EVENT_TOOL_NUM_CORES, EVENT_TOOL_NUM_CPUS,
	EVENT_TOOL_NUM_CPUS_ONLINE, EVENT_TOOL_NUM_DIES, EVENT_TOOL_NUM_PACKAGES, EVENT_TOOL_SLOTS,
	EVENT_TOOL_SMT_ON, EVENT_TOOL_TSC_FREQ, EVENT_TOOL_TARGET_CPU,
	/* read from a driver (event/sensor.h): a level, a sum that grows */
	EVENT_TOOL_LEVEL, EVENT_TOOL_SUM,
	/* :R, where nothing is sampled: 0 */
	EVENT_TOOL_RETIRE,
	EVENT_TOOL_N,
};

/* "duration_time", as written between the slashes of tool/.../ and, for most, alone; what it is
 * stands in *desc where desc is given. EVENT_TOOL_NONE: no such event. */
enum event_tool event_tool_find(const char *name);
/* Of an event that a recording has: by its name, where no counter of the kernel has this attr. */
enum event_tool event_tool_recorded(const struct event *e);
const char *event_tool_name(enum event_tool t);
const char *event_tool_desc(enum event_tool t);
/* Whether the name alone, without "tool/", means it. */
bool event_tool_by_name(enum event_tool t);
/* Its reading is a level ("how many"), not a sum that grows. */
static inline bool event_tool_is_level(enum event_tool t)
{
	return t > EVENT_TOOL_SYSTEM && t != EVENT_TOOL_SUM;
}
/* A fact; false: unknown here. target_cpu: whether CPUs are watched. */
bool event_tool_read(const struct os *os, enum event_tool t, bool target_cpu, u64 *out);
#endif
