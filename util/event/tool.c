// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tool.h"

#include <stdlib.h>
#include <string.h>

static const struct { const char *name, *desc; bool alone; } tools[EVENT_TOOL_N] = {
	[EVENT_TOOL_DURATION] = { "duration_time", "wall clock time of the interval in ns", true },
	[EVENT_TOOL_USER] = { "user_time", "CPU time in user space in ns", true },
	[EVENT_TOOL_SYSTEM] = { "system_time", "CPU time in the kernel in ns", true },
	[EVENT_TOOL_CORE_WIDE] = { "core_wide", "1 where all threads of each core are counted", true },
	[EVENT_TOOL_HAS_PMEM] = { "has_pmem", "1 where there is persistent memory", true },
	[EVENT_TOOL_NUM_CORES] = { "num_cores", "number of cores", true },
	[EVENT_TOOL_NUM_CPUS] = { "num_cpus", "number of CPUs", true },
	[EVENT_TOOL_NUM_CPUS_ONLINE] = { "num_cpus_online", "number of CPUs that are online", true },
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

/* What counts in the topology: parts that differ. */
enum part { PART_PACKAGE, PART_DIE, PART_CORE };

static bool same_part(const struct os_cpu *a, const struct os_cpu *b, enum part part)
{
	return a->socket == b->socket && (part < PART_DIE || a->die == b->die) &&
		(part < PART_CORE || a->core == b->core);
}

static u64 count_parts(const struct os *os, enum part part)
{
	os_cpu_vec topo = { 0 };
	u64 n = 0;

	if (!os_topology(os, &topo, NULL))
		for (size_t i = 0; i < topo.n; i++) {
			size_t k = 0;

			while (k < i && !same_part(&topo.v[k], &topo.v[i], part))
				k++;
			n += k == i;
		}
	vec_free(&topo);
	return n;
}

static u64 count_online(const struct os *os)
{
	int_vec cpus = { 0 };
	const u64 n = os_online_cpus(os, &cpus, NULL) ? 0 : cpus.n;

	vec_free(&cpus);
	return n;
}

static bool smt_on(const struct os *os)
{
	u64 v;

	if (!os_read_u64(os, "/sys/devices/system/cpu/smt/active", &v, NULL))
		return v;
	return count_parts(os, PART_CORE) < count_online(os);
}

static bool has_pmem(const struct os *os)
{
	os_names names = { 0 };
	bool found = false;

	if (!os_list_dir(os, "/sys/bus/nd/devices", &names, NULL))
		for (size_t i = 0; i < names.n; i++)
			found |= str_has_prefix(names.v[i], "pmem");
	os_names_release(&names);
	return found;
}

/* The kernel tells kHz of the time stamp counter where a module does; else of the CPU by its
 * name ("... @ 2.50GHz"). */
static u64 tsc_freq(const struct os *os)
{
	struct str s = STR_INIT;
	double ghz = 0;
	u64 khz;

	if (!os_read_u64(os, "/sys/devices/system/cpu/cpu0/tsc_freq_khz", &khz, NULL))
		return khz * 1000;
	if (!os_read_file(os, "/proc/cpuinfo", &s, NULL)) {
		const char *at = strstr(str_cstr(&s), "model name"), *end = at ? strchr(at, '\n') : NULL;
		char *line = end ? xstrndup(at, (size_t)(end - at)) : NULL;
		char *speed = line ? strrchr(line, '@') : NULL;

		if (speed && str_has_suffix(line, "GHz")) {
			line[strlen(line) - 3] = 0;
			speed++;
			parse_double(speed + strspn(speed, " "), &ghz);
		}
		free(line);
	}
	str_release(&s);
	return u64_of(ghz * 1e9);
}

static bool read_sensor(const struct os *os, const char *path, u64 *out)
{
	struct str s = STR_INIT;
	s64 v = 0;
	bool ok = !os_read_file(os, path, &s, NULL);

	while (s.len && s.buf[s.len - 1] == '\n')
		s.buf[--s.len] = 0;
	ok = ok && parse_s64(str_cstr(&s), &v);
	str_release(&s);
	*out = (u64)v;
	return ok;
}

bool event_tool_read(const struct os *os, enum event_tool t, const char *sensor, bool target_cpu,
		     u64 *out)
{
	*out = 0;
	switch (t) {
	case EVENT_TOOL_CORE_WIDE: *out = target_cpu || !smt_on(os); return true;
	case EVENT_TOOL_HAS_PMEM: *out = has_pmem(os); return true;
	case EVENT_TOOL_NUM_CORES: *out = count_parts(os, PART_CORE); return true;
	case EVENT_TOOL_NUM_CPUS: *out = (u64)os_nr_present_cpus(os); return true;
	case EVENT_TOOL_NUM_CPUS_ONLINE: *out = count_online(os); return true;
	case EVENT_TOOL_NUM_DIES: *out = count_parts(os, PART_DIE); return true;
	case EVENT_TOOL_NUM_PACKAGES: *out = count_parts(os, PART_PACKAGE); return true;
	case EVENT_TOOL_SLOTS: return true;
	case EVENT_TOOL_SMT_ON: *out = smt_on(os); return true;
	case EVENT_TOOL_TSC_FREQ: *out = tsc_freq(os); return *out;
	case EVENT_TOOL_TARGET_CPU: *out = target_cpu; return true;
	case EVENT_TOOL_SENSOR: return sensor && read_sensor(os, sensor, out);
	default: return false;
	}
}
