// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/protobuf.h"

#include "util/base/utf8.h"

static bool is_utf8(const char *s, size_t n)
{
	for (size_t i = 0, len; i < n; i += len) {
		len = utf8_len(s + i, n - i);
		if (!len)
			return false;
	}
	return true;
}

void pb_utf8(struct str *out, u32 field, const char *s)
{
	const size_t n = strlen(s);
	struct str clean = STR_INIT;

	if (is_utf8(s, n)) {
		pb_bytes(out, field, s, n);
		return;
	}
	for (size_t i = 0; i < n;) {
		size_t len = utf8_len(s + i, n - i);

		if (len)
			str_addn(&clean, s + i, len);
		else
			str_add(&clean, "\xef\xbf\xbd");
		i += len ? len : 1;
	}
	pb_message(out, field, &clean);
	str_release(&clean);
}
