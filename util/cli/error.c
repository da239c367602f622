// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/error.h"

#include <stdio.h>

#include "util/cli/progress.h"

static bool printed;

bool cli_error_printed(void)
{
	return printed;
}

/* Line by line, so that only newlines and tabs get through. */
static void add_lines(struct str *out, const char *text, const char *first, const char *next)
{
	const char *lead = first;

	for (const char *p = text; ; lead = next) {
		size_t n = strcspn(p, "\n");

		str_add(out, lead);
		for (size_t at = 0; at < n; ) {
			size_t run = strcspn(p + at, "\t\n");

			str_add_safen(out, p + at, run);
			at += run;
			if (p[at] == '\t') {
				str_addch(out, '\t');
				at++;
			}
		}
		str_addch(out, '\n');
		if (!p[n] || !p[n + 1])
			return;
		p += n + 1;
	}
}

static void add_err(const struct err *err, const char *lead, struct str *out)
{
	const char *msg = err->msg ? err->msg : "failed, and nothing is known about why";

	add_lines(out, msg, strchr(msg, '\n') ? "" : lead, "");
	if (err->hint)
		add_lines(out, err->hint, "Hint: ", "      ");
}

void cli_error_text(const struct err *err, struct str *out)
{
	add_err(err, "Error: ", out);
}

static void put(struct str *s)
{
	cli_progress_wipe();
	fflush(stdout);
	fputs(str_cstr(s), stderr);
	str_release(s);
}

int cli_error(const struct err *err)
{
	struct str s = STR_INIT;

	cli_error_text(err, &s);
	put(&s);
	printed = true;
	return err->status ? err->status : CLI_FAILED;
}

void cli_warn_err(const struct err *err)
{
	struct str s = STR_INIT;

	add_err(err, "Warning: ", &s);
	put(&s);
}

static void put_formatted(const char *lead, const char *fmt, va_list ap)
{
	struct str s = STR_INIT, msg = STR_INIT;

	str_addv(&msg, fmt, ap);
	add_lines(&s, str_cstr(&msg), lead, "");
	str_release(&msg);
	put(&s);
}

int cli_errorf(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_formatted("Error: ", fmt, ap);
	va_end(ap);
	printed = true;
	return CLI_FAILED;
}

void cli_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_formatted("Warning: ", fmt, ap);
	va_end(ap);
}
