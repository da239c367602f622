// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/facts.h"

#include <stdlib.h>
#include <string.h>

/* What counts in the topology: parts that differ. */
static bool same_part(const struct os_cpu *a, const struct os_cpu *b, enum os_part part)
{
	return a->socket == b->socket && (part < OS_DIES || a->die == b->die) &&
		(part < OS_CORES || a->core == b->core);
}

u64 os_count_parts(const struct os *os, enum os_part part)
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

bool os_smt_on(const struct os *os)
{
	int_vec cpus = { 0 };
	u64 v, n;

	if (!os_read_u64(os, "/sys/devices/system/cpu/smt/active", &v, NULL))
		return v;
	n = os_online_cpus(os, &cpus, NULL) ? 0 : cpus.n;
	vec_free(&cpus);
	return os_count_parts(os, OS_CORES) < n;
}

bool os_has_pmem(const struct os *os)
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
u64 os_tsc_hz(const struct os *os)
{
	struct str s = STR_INIT;
	double ghz = 0;
	u64 khz;

	if (!os_read_u64(os, "/sys/devices/system/cpu/cpu0/tsc_freq_khz", &khz, NULL))
		return khz * 1000;
	if (!os_read_file(os, "/proc/cpuinfo", &s, NULL)) {
		const char *at = strstr(str_cstr(&s), "model name");
		const char *end = at ? strchr(at, '\n') : NULL;
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

bool os_has_kprobes(const struct os *os)
{
	u64 type;

	return !os_read_u64(os, "/sys/bus/event_source/devices/kprobe/type", &type, NULL);
}
