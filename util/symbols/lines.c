// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/lines-priv.h"

void lines_free(struct lines *l UNUSED)
{
}

bool dso_srcline(struct dso *d UNUSED, u64 rva UNUSED, struct srcline *out)
{
	*out = (struct srcline){ 0 };
	return false;
}

size_t dso_inlines(struct dso *d UNUSED, u64 rva UNUSED, const struct inline_frame **out)
{
	*out = NULL;
	return 0;
}
