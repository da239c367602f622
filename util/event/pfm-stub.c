// SPDX-License-Identifier: GPL-2.0-or-later
// Without libpfm4.
#include "util/event/pfm.h"

#include <errno.h>

int pfm_encode(const char *text UNUSED, struct perf_event_attr *attr UNUSED, struct err *err)
{
	err_set(err, ENOTSUP, "this perf was built without libpfm4");
	err_hint(err, "build it with the package libpfm4-dev; perf list shows the kernel's names");
	return -ENOTSUP;
}

void pfm_each(void (*fn)(void *ctx, const struct pfm_event *e) UNUSED, void *ctx UNUSED)
{
}
