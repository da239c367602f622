// SPDX-License-Identifier: GPL-2.0-or-later
// Where a description of events is wrong, for who typed it.
#include <errno.h>
#include <stdlib.h>

#include "util/event/parse-priv.h"

#define LINE_LEAD "event syntax error: '"
#define MAX_SHOWN 54	/* characters of the text in an error */

int parse_fail(struct parse *p, const char *at, const char *fmt, ...)
{
	struct str s = STR_INIT;
	size_t len = strlen(p->text), pos = at - p->text, from = 0, indent;
	va_list ap;

	if (len > MAX_SHOWN && pos > 12)
		from = pos - 10;
	str_addf(&s, LINE_LEAD "%s%.*s%s'\n", from ? ".." : "", MAX_SHOWN, p->text + from,
		 len > from + MAX_SHOWN ? ".." : "");
	indent = strlen(LINE_LEAD) + (pos - from) + (from ? 2 : 0);
	str_addchn(&s, ' ', indent);
	str_add(&s, "\\___ ");
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	p->pointed = true;
	err_set(p->err, EINVAL, "%s", s.buf);
	str_release(&s);
	return -EINVAL;
}

void parse_fail_more(struct parse *p, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;
	char *hint;

	if (!p->err || !p->err->msg)
		return;
	hint = xstrdup(p->err->hint);
	str_add(&s, p->err->msg);
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	err_set(p->err, EINVAL, "%s", s.buf);
	if (hint)
		err_hint(p->err, "%s", hint);
	free(hint);
	str_release(&s);
}
