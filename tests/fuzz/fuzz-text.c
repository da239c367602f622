// SPDX-License-Identifier: GPL-2.0-or-later
/* Globs (pattern, NUL, text), escaping for terminals and for JSON. */
#include <stdlib.h>

#include "util/base/json.h"
#include "util/base/xalloc.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static void check_safe(const char *s, size_t n)
{
	struct str out = STR_INIT;

	str_add_safen(&out, s, n);
	for (size_t i = 0; i < out.len; i++) {
		u8 c = (u8)out.buf[i];

		if (c < 0x20 || c == 0x7f || (c == 0xc2 && (u8)out.buf[i + 1] < 0xa0))
			abort();
	}
	str_reset(&out);
	json_quote(&out, s, n);
	if (out.len < 2 || out.buf[0] != '"' || out.buf[out.len - 1] != '"')
		abort();
	for (size_t i = 1; i + 1 < out.len; i++) {
		if (out.buf[i] == '\\')
			i++;
		else if (out.buf[i] == '"' || (u8)out.buf[i] < 0x20)
			abort();
	}
	str_release(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	char *s = xmalloc(n + 1);

	if (n)
		memcpy(s, data, n);
	s[n] = '\0';
	size_t cut = strlen(s);
	const char *text = cut < n ? s + cut + 1 : "some text";

	glob_match(text, s);
	if (!is_glob(s) && !strchr(s, '\\') && glob_match(text, s) != !strcmp(text, s))
		abort();
	check_safe(s, n);
	if (n < 200)
		edit_distance(s, text);
	free(s);
	return 0;
}
