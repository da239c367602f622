// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"

/* The arguments may point into the old message: format first, free after. */
static int set_msg(struct err *err, int code, const char *sys, const char *fmt, va_list ap)
{
	if (code <= 0)
		code = EINVAL;
	if (!err)
		return -code;
	struct str s = STR_INIT;

	str_addv(&s, fmt, ap);
	if (sys)
		str_addf(&s, ": %s", sys);
	free(err->msg);
	free(err->hint);
	err->code = code;
	err->status = 0;
	err->msg = str_detach(&s);
	err->hint = NULL;
	return -code;
}

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int rc = set_msg(err, code, NULL, fmt, ap);

	va_end(ap);
	return rc;
}

/* What helps whatever was being done; who knows better says so with err_hint(). */
static const char *advice(int code)
{
	switch (code) {
	case ENOSPC: return "the disk is full: make room on it, or name another place";
	case EDQUOT: return "the quota of the disk is used up: make room on it, or name another "
			    "place";
	case EROFS: return "that file system is read-only: name another place";
	case EFBIG: return "the file reached the limit of the shell (ulimit -f) or of the file "
			   "system";
	case EMFILE: return "raise the limit of open files (ulimit -n)";
	case ENFILE: return "all processes together have too many open files: raise "
			    "/proc/sys/fs/file-max";
	default: return NULL;
	}
}

int err_sys(struct err *err, int code, const char *fmt, ...)
{
	char buf[128];
	va_list ap;

	va_start(ap, fmt);
	int rc = set_msg(err, code, strerror_r(code > 0 ? code : EINVAL, buf, sizeof(buf)), fmt,
			 ap);

	va_end(ap);
	if (advice(code))
		err_hint(err, "%s", advice(code));
	return rc;
}

void err_hint(struct err *err, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	if (!err || !err->code)
		return;
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	free(err->hint);
	err->hint = str_detach(&s);
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	if (!err || !err->code)
		return -EINVAL;
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	str_add(&s, ": ");
	str_add(&s, err->msg);
	free(err->msg);
	err->msg = str_detach(&s);
	return -err->code;
}

void err_release(struct err *err)
{
	if (!err)
		return;
	free(err->msg);
	free(err->hint);
	*err = (struct err)ERR_INIT;
}
