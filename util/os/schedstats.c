// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/schedstats.h"

#include <errno.h>

static const char knob[] = "/proc/sys/kernel/sched_schedstats";

int schedstats_on(struct schedstats *s, const struct os *os, struct err *err)
{
	struct str text = STR_INIT;
	u64 on = 0;
	int ret = os_read_u64(os, knob, &on, NULL);

	if (ret == -ENOENT) {
		ret = os_read_file(os, "/proc/schedstat", &text, NULL);
		str_release(&text);
		if (!ret)
			return 0;
		ret = err_set(err, ENOENT, "this kernel does not count what its scheduler does: "
					   "'/proc/schedstat' does not exist");
		err_hint(err, "it was built without CONFIG_SCHEDSTATS");
		return ret;
	}
	if (ret || on)
		return 0;	/* what can only be written is taken for on */
	ret = os_write_file(os, knob, "1\n", false, err);
	s->switched = !ret;
	if (ret)
		err_hint(err, "as root: sysctl kernel.sched_schedstats=1");
	return ret;
}

void schedstats_off(struct schedstats *s, const struct os *os)
{
	if (s->switched)
		os_write_file(os, knob, "0\n", false, NULL);
	s->switched = false;
}

int schedstats_read(const struct os *os, struct str *out, struct err *err)
{
	return os_read_file(os, "/proc/schedstat", out, err);
}
