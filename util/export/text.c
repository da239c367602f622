// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/text.h"

void export_flush(FILE *fp, struct str *text, size_t above)
{
	if (text->len <= above)
		return;
	fwrite(text->buf, 1, text->len, fp);
	str_reset(text);
}
