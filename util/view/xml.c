// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/xml.h"

void xml_add(struct str *out, const char *text)
{
	struct str safe = STR_INIT;

	str_add_safe(&safe, text);
	for (size_t i = 0; i < safe.len; i++) {
		switch (safe.buf[i]) {
		case '<': str_add(out, "&lt;"); break;
		case '>': str_add(out, "&gt;"); break;
		case '&': str_add(out, "&amp;"); break;
		case '"': str_add(out, "&quot;"); break;
		case '\'': str_add(out, "&#39;"); break;
		default: str_addch(out, safe.buf[i]);
		}
	}
	str_release(&safe);
}
