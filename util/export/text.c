// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/exporter.h"

void export_folded_name(struct str *out, const char *name)
{
	const size_t from = out->len;

	str_add_safe(out, name);
	for (size_t i = from; i < out->len; i++)
		if (out->buf[i] == ';')
			out->buf[i] = ':';
}

void export_flush(FILE *fp, struct str *text, size_t above)
{
	if (text->len <= above)
		return;
	fwrite(text->buf, 1, text->len, fp);
	str_reset(text);
}
