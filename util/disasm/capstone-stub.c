// SPDX-License-Identifier: GPL-2.0-or-later
// Instead of capstone.c where libcapstone is not there.
#include <errno.h>

#include "util/disasm/disasm-priv.h"

int capstone_check(struct err *err)
{
	err_set(err, ENOTSUP, "this perf was built without libcapstone");
	err_hint(err, "install libcapstone-dev and build it again (what is built in: perf version "
		      "--build-options)");
	return -ENOTSUP;
}

static void *open_none(const struct disasm_opts *o UNUSED, const struct disasm_isa *isa UNUSED,
		       struct err *err UNUSED)
{
	return NULL;
}

const struct engine capstone_engine = { .name = "libcapstone", .open = open_none };
