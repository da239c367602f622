// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/os.h"

#include <unistd.h>

static s64 setting(const struct os *os, const char *path, s64 otherwise)
{
	struct str s = STR_INIT;
	s64 v = otherwise;

	if (!os_read_file(os, path, &s, NULL)) {
		while (s.len && (s.buf[s.len - 1] == '\n' || s.buf[s.len - 1] == ' '))
			s.buf[--s.len] = 0;
		if (!parse_s64(str_cstr(&s), &v))
			v = otherwise;
	}
	str_release(&s);
	return v;
}

int os_paranoid(const struct os *os)
{
	return (int)setting(os, "/proc/sys/kernel/perf_event_paranoid", 2);
}

u64 os_mlock_kb(const struct os *os)
{
	return (u64)setting(os, "/proc/sys/kernel/perf_event_mlock_kb", 516);
}

u64 os_max_sample_rate(const struct os *os)
{
	return (u64)setting(os, "/proc/sys/kernel/perf_event_max_sample_rate", 100000);
}

int os_max_stack(const struct os *os)
{
	return (int)setting(os, "/proc/sys/kernel/perf_event_max_stack", 127);
}

int os_kptr_restrict(const struct os *os)
{
	return (int)setting(os, "/proc/sys/kernel/kptr_restrict", 0);
}

#define CAP_BIT_SYS_ADMIN 21
#define CAP_BIT_PERFMON 38

bool os_may_trace_all(const struct os *os)
{
	struct str s = STR_INIT;
	bool may = false;
	u64 caps;

	if (os_paranoid(os) < 1)
		return true;
	if (os_read_file(os, "/proc/self/status", &s, NULL)) {
		may = !os->fake && geteuid() == 0;
	} else {
		char *line = strstr(s.buf, "\nCapEff:");

		if (line) {
			line += 8;
			line += strspn(line, " \t");
			line[strcspn(line, "\n")] = 0;
			may = parse_hex(line, &caps) && (caps & (1ULL << CAP_BIT_SYS_ADMIN | 1ULL << CAP_BIT_PERFMON));
		}
	}
	str_release(&s);
	return may;
}
