// SPDX-License-Identifier: GPL-2.0-or-later
// Instead of capstone.c where libcapstone is not there.
#include "util/disasm/disasm-priv.h"

const bool capstone_built_in;

static void *open_none(const struct disasm_opts *o UNUSED, const struct disasm_isa *isa UNUSED,
		       struct err *err UNUSED)
{
	return NULL;
}

const struct engine capstone_engine = { .name = "libcapstone", .open = open_none };
