// SPDX-License-Identifier: GPL-2.0-or-later
// Where a description of events is wrong, for who typed it.
#include <errno.h>
#include <stdlib.h>

#include "util/event/parse-priv.h"

#define MAX_SHOWN 54	/* characters of the text in an error */

void parse_point(struct str *out, const char *lead, const char *text, const char *at)
{
	const size_t len = strlen(text), pos = (size_t)(at - text),
		from = len > MAX_SHOWN && pos > 12 ? pos - 10 : 0;

	str_addf(out, "%s'%s%.*s%s'\n", lead, from ? ".." : "", MAX_SHOWN, text + from,
		 len > from + MAX_SHOWN ? ".." : "");
	str_addchn(out, ' ', strlen(lead) + 1 + (pos - from) + (from ? 2 : 0));
	str_add(out, "\\___ ");
}

int parse_fail(struct parse *p, const char *at, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	parse_point(&s, "event syntax error: ", p->text, at);
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
