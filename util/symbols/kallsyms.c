// SPDX-License-Identifier: GPL-2.0-or-later
// Format: lib/vsprintf and kernel/kallsyms.c of the kernel as seen in /proc/kallsyms; nm(1) for
// the letters.
#include "util/symbols/kallsyms.h"

#include <string.h>

static int hex_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' &&
		c <= 'F' ? c - 'A' + 10 : -1;
}

/* One line without its newline (a NUL stands there). */
static bool parse_line(char *p, char *end, struct kallsym *s)
{
	int digits = 0, v;

	s->va = 0;
	for (; p < end && (v = hex_value(*p)) >= 0 && digits < 16; p++, digits++)
		s->va = s->va << 4 | (u64)v;
	if (!digits || end - p < 4 || p[0] != ' ' || p[1] <= ' ' || p[1] >= 0x7f ||
	    p[2] != ' ')
		return false;
	s->type = p[1];
	s->name = p + 3;
	s->module = NULL;
	char *tab = memchr(p + 3, '\t', end - (p + 3));

	if (tab) {
		*tab = 0;
		if (tab[1] == '[' && end[-1] == ']') {
			end[-1] = 0;
			s->module = tab + 2;
		}
	}
	return s->name[0] && (!s->module || s->module[0]);
}

int kallsyms_parse(char *text, size_t len, int (*fn)(void *ctx, const struct kallsym *s), void *ctx,
		   u64 *n_bad)
{
	char *end = text + len;

	while (text < end) {
		char *nl = memchr(text, '\n', end - text);
		char *stop = nl ? nl : end;
		struct kallsym s;

		*stop = 0;
		if (parse_line(text, stop, &s)) {
			int ret = fn(ctx, &s);

			if (ret)
				return ret;
		} else if (n_bad && stop > text) {
			++*n_bad;
		}
		text = stop + 1;
	}
	return 0;
}
