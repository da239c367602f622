// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/page.h"

const char *page_part(const char *part, struct str *out)
{
	str_add(out, part);
	return part + strlen(part) + 1;
}

void page_json(struct str *out, const struct str *json)
{
	for (size_t i = 0; i < json->len; i++) {
		if (json->buf[i] == '<')
			str_add(out, "\\u003c");
		else
			str_addch(out, json->buf[i]);
	}
}
