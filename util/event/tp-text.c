// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tp-text.h"

struct tp_text { int unused; };

struct tp_text *tp_text_new(const struct tp_format *f UNUSED, const char *format UNUSED, const struct tep_print_arg *args UNUSED)
{
	return NULL;
}

void tp_text_free(struct tp_text *t UNUSED)
{
}

void tp_text_print(const struct tp_text *t UNUSED, struct span raw UNUSED, bool swap UNUSED, struct str *out UNUSED)
{
}
