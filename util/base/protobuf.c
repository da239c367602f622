// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/protobuf.h"

void pb_utf8(struct str *out, u32 field, const char *s)
{
	struct str clean = STR_INIT;

	str_add_utf8(&clean, s);
	pb_message(out, field, &clean);
	str_release(&clean);
}
