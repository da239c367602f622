// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tool.h"

#include <stdlib.h>
#include <string.h>

#include "util/os/facts.h"

static const struct { const char *name, *desc; bool alone; } tools[EVENT_TOOL_N] = {
	[EVENT_TOOL_DURATION] = { "duration_time", "wall clock time of the interval in ns", true },
	[EVENT_TOOL_USER] = { "user_time", "CPU time in user space in ns", true },
	[EVENT_TOOL_SYSTEM] = { "system_time", "CPU time in the kernel in ns", true },
	[EVENT_TOOL_CORE_WIDE] = { "core_wide", "1 where all threads of each core are counted",
				   true },
	[EVENT_TOOL_HAS_PMEM] = { "has_pmem", "1 where there is persistent memory", true },
	[EVENT_TOOL_NUM_CORES] = { "num_cores", "number of cores", true },
	[EVENT_TOOL_NUM_CPUS] = { "num_cpus", "number of CPUs", true },
	[EVENT_TOOL_NUM_CPUS_ONLINE] = { "num_cpus_online", "number of CPUs that are online",
					 true },
	[EVENT_TOOL_NUM_DIES] = { "num_dies", "number of dies", true },
	[EVENT_TOOL_NUM_PACKAGES] = { "num_packages", "number of packages", true },
	[EVENT_TOOL_SLOTS] = { "slots", "pipeline slots of each cycle, 0 where unknown", false },
	[EVENT_TOOL_SMT_ON] = { "smt_on", "1 where cores run several threads", true },
	[EVENT_TOOL_TSC_FREQ] = { "system_tsc_freq", "steps of the time stamp counter per second",
				  true },
	[EVENT_TOOL_TARGET_CPU] = { "target_cpu", "1 where CPUs are watched, 0 for tasks", true },
};

enum event_tool event_tool_find(const char *name)
{
	for (int i = 0; i < EVENT_TOOL_N; i++)
		if (tools[i].name && !strcmp(tools[i].name, name))
			return (enum event_tool)i;
	return EVENT_TOOL_NONE;
}

/* the PMU "tool" of upstream perf */
#define TYPE_TOOL 0xfffffffeu

enum event_tool event_tool_recorded(const struct event *e)
{
	const bool slashes = str_has_prefix(e->name, "tool/");
	const char *from = e->name + (slashes ? 5 : 0);
	char *name = xstrndup(from, slashes ? strcspn(from, "/") : strlen(from));
	enum event_tool t = EVENT_TOOL_NONE;

	if (e->attr.type == TYPE_TOOL || (e->attr.type == PERF_TYPE_SOFTWARE &&
					  e->attr.config == PERF_COUNT_SW_DUMMY))
		t = event_tool_find(name);
	free(name);
	return t;
}

const char *event_tool_name(enum event_tool t)
{
	return tools[t].name;
}

const char *event_tool_desc(enum event_tool t)
{
	return tools[t].desc;
}

bool event_tool_by_name(enum event_tool t)
{
	return tools[t].alone;
}

static u64 count_online(const struct os *os)
{
	int_vec cpus = { 0 };
	const u64 n = os_online_cpus(os, &cpus, NULL) ? 0 : cpus.n;

	vec_free(&cpus);
	return n;
}

bool event_tool_read(const struct os *os, enum event_tool t, bool target_cpu, u64 *out)
{
	*out = 0;
	switch (t) {
	case EVENT_TOOL_CORE_WIDE: *out = target_cpu || !os_smt_on(os); return true;
	case EVENT_TOOL_HAS_PMEM: *out = os_has_pmem(os); return true;
	case EVENT_TOOL_NUM_CORES: *out = os_count_parts(os, OS_CORES); return true;
	case EVENT_TOOL_NUM_CPUS: *out = (u64)os_nr_present_cpus(os); return true;
	case EVENT_TOOL_NUM_CPUS_ONLINE: *out = count_online(os); return true;
	case EVENT_TOOL_NUM_DIES: *out = os_count_parts(os, OS_DIES); return true;
	case EVENT_TOOL_NUM_PACKAGES: *out = os_count_parts(os, OS_SOCKETS); return true;
	case EVENT_TOOL_SLOTS:
	case EVENT_TOOL_RETIRE: return true;
	case EVENT_TOOL_SMT_ON: *out = os_smt_on(os); return true;
	case EVENT_TOOL_TSC_FREQ: *out = os_tsc_hz(os); return *out;
	case EVENT_TOOL_TARGET_CPU: *out = target_cpu; return true;
	default: return false;
	}
}
