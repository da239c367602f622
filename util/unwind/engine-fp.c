// SPDX-License-Identifier: GPL-2.0-or-later
// Frame pointers in the stack copy: for comparison, and for code without tables.
#include "util/unwind/unwind-priv.h"

static enum unwind_end fp_run(struct unwinding *u, void *state UNUSED)
{
	while (unwind_push(u, u->ip, false)) {
		enum unwind_end reason = unwind_step_fp(u, false, false);

		if (reason)
			return reason;
		if (!u->ip)
			return UNWIND_COMPLETE;
	}
	return UNWIND_MAX_FRAMES;
}

const struct engine engine_fp = { .name = "fp", .run = fp_run };
