/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_ERROR_H
#define CLI_ERROR_H
/*
 * The only place that prints errors. Everything goes to stderr, one message at a time, with control characters made
 * visible (newlines and tabs stay). Exit statuses of perf: 0 well, 1 failed, 128 out of memory and the like, 129 wrong usage,
 * otherwise the workload's own.
 */
#include "util/base/err.h"
#include "util/base/str.h"

enum { CLI_FAILED = 1, CLI_FATAL = 128, CLI_USAGE = 129 };

/* "Error: message" and the hint; returns CLI_FAILED, so that a command can end with "return cli_error(&err)" after releasing
 * what it owns. A message of several lines (one with a caret under it) is printed as it is. Does not release err. */
int cli_error(const struct err *err);
int cli_errorf(const char *fmt, ...) PRINTF_LIKE(1, 2);
void cli_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);		/* "Warning: ..." */
/* As cli_error(), with "Warning:". */
void cli_warn_err(const struct err *err);
/* What cli_error() prints. */
void cli_error_text(const struct err *err, struct str *out);

#endif
