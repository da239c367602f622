// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/csv.h"

void csv_add_quoted(struct str *out, const char *text, size_t n)
{
	str_addch(out, '"');
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '"')
			str_addch(out, '"');
		str_addch(out, text[i]);
	}
	str_addch(out, '"');
}

void csv_add_text(struct str *out, const char *sep, const char *text)
{
	const size_t from = out->len;
	struct str plain = STR_INIT;

	str_add_safe(out, text);
	if (out->len == from || (!strchr(out->buf + from, '"') &&
				 !(*sep && strstr(out->buf + from, sep))))
		return;
	str_addn(&plain, out->buf + from, out->len - from);
	out->len = from;
	csv_add_quoted(out, plain.buf, plain.len);
	str_release(&plain);
}
