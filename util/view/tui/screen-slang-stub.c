// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "util/view/tui/screen.h"

struct screen *screen_open(const struct screen_opts *o, struct err *err)
{
	(void)o;
	err_set(err, ENOTSUP, "this perf was built without S-Lang");
	err_hint(err, "install libslang2-dev and build it again");
	return NULL;
}
