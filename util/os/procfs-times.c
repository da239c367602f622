// SPDX-License-Identifier: GPL-2.0-or-later
// CPU time as /proc tells it, in ticks of the clock.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/os/procfs.h"

static u64 ticks_to_ns(u64 ticks)
{
	const long hz = sysconf(_SC_CLK_TCK);

	return ticks * (1000000000ULL / (u64)(hz > 0 ? hz : 100));
}

int procfs_cpu_times(const struct os *os, const int_vec *cpus, u64 *user_ns, u64 *system_ns)
{
	struct str s = STR_INIT;
	u64 user = 0, system = 0;
	const int ret = os_read_file(os, "/proc/stat", &s, NULL);

	for (const char *p = str_cstr(&s); !ret && p && *p;
	     p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		/* user nice system idle iowait irq softirq */
		unsigned long long t[7] = { 0 };
		int cpu = -1;
		const bool all = !strncmp(p, "cpu ", 4);

		if (strncmp(p, "cpu", 3) || all != !cpus)
			continue;
		if (!all && (sscanf(p + 3, "%d", &cpu) != 1 || !int_list_has(cpus, cpu)))
			continue;
		if (sscanf(p + strcspn(p, " "), "%llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1],
			   &t[2], &t[3], &t[4], &t[5], &t[6]) < 3)
			continue;
		user += t[0] + t[1];
		system += t[2] + t[5] + t[6];
	}
	str_release(&s);
	*user_ns = ticks_to_ns(user);
	*system_ns = ticks_to_ns(system);
	return ret;
}

int procfs_task_times(const struct os *os, pid_t tid, u64 *user_ns, u64 *system_ns)
{
	char *path = xasprintf("/proc/%d/stat", tid);
	struct str s = STR_INIT;
	/* utime stime cutime cstime: fields 14 to 17, the 12th after the name */
	unsigned long long t[4] = { 0 };
	int ret = os_read_file(os, path, &s, NULL);
	const char *p = ret ? NULL : strrchr(str_cstr(&s), ')');

	for (int i = 0; p && i < 12; i++) {
		p = strchr(p, ' ');
		p = p ? p + 1 : NULL;
	}
	if (!p || sscanf(p, "%llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3]) != 4)
		ret = ret ? ret : -EINVAL;
	*user_ns = ticks_to_ns(t[0] + t[2]);
	*system_ns = ticks_to_ns(t[1] + t[3]);
	str_release(&s);
	free(path);
	return ret;
}

u64 procfs_task_ran_ns(const struct os *os, pid_t tid)
{
	char *path = xasprintf("/proc/%d/schedstat", (int)tid);
	struct str s = STR_INIT;
	u64 ns = 0;

	if (!os_read_file(os, path, &s, NULL))
		ns = strtoull(str_cstr(&s), NULL, 10);
	str_release(&s);
	free(path);
	return ns;
}
