// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/os.h"

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

int os_kptr_restrict(const struct os *os)
{
	return (int)setting(os, "/proc/sys/kernel/kptr_restrict", 0);
}

