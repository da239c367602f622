// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/base/io.h"
#include "util/base/num.h"

static const char *const names[LOG_NR] = {
	[LOG_OS] = "os", [LOG_EVENT] = "event", [LOG_DATA] = "data", [LOG_SYMBOLS] = "symbols",
		[LOG_MACHINE] = "machine",
	[LOG_UNWIND] = "unwind", [LOG_STREAM] = "stream", [LOG_BPF] = "bpf", [LOG_PROBE] = "probe",
	[LOG_CLI] = "cli",
};

/* Written once at start, before threads are made. */
static int levels[LOG_NR];

void log_set_level(int level)
{
	for (int d = 0; d < LOG_NR; d++)
		levels[d] = level;
}

bool log_set_domain(const char *spec)
{
	const char *eq = strchrnul(spec, '=');
	int level = 1;

	if (*eq && !parse_int(eq + 1, &level))
		return false;
	for (int d = 0; d < LOG_NR; d++) {
		if (strlen(names[d]) == (size_t)(eq - spec) &&
		    !strncmp(names[d], spec, (size_t)(eq - spec))) {
			levels[d] = level;
			return true;
		}
	}
	return false;
}

bool log_on(enum log_domain d, int level)
{
	return levels[d] >= level;
}

/* One write a line, so that lines of threads do not mix. */
void log_printf(enum log_domain d, int level, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	if (!log_on(d, level))
		return;
	str_addf(&s, "%s: ", names[d]);
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	str_addch(&s, '\n');
	io_write(2, s.buf, s.len);
	str_release(&s);
}
