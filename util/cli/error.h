/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_ERROR_H
#define CLI_ERROR_H
/*
 * The only place that prints errors. Everything goes to stderr, one message at a time, with control
 * characters made visible (newlines and tabs stay). The exit statuses of all commands (perf(1) has
 * the same table):
 *	0		done
 *	1		failed, or done with what could be read of a damaged recording
 *	128 + n		ended by signal n, or the program that was run was
 *	129		wrong usage
 *	255		the program to be run cannot be run (workload.h)
 *	otherwise	that of the program that was run
 */
#include "util/base/err.h"
#include "util/base/str.h"

enum { CLI_FAILED = 1, CLI_USAGE = 129 };

/* "Error: message" and the hint; returns the exit status (CLI_FAILED, unless the error has one
 * of its own), so that a command can end with "return cli_error(&err)" after releasing what it
 * owns. A message of several lines (one with a caret under it) is printed as it is. Does not
 * release err. */
int cli_error(const struct err *err);
/* Has an error been printed? Then what else went wrong at the end (standard output) needs no
 * second message. */
bool cli_error_printed(void);
int cli_errorf(const char *fmt, ...) PRINTF_LIKE(1, 2);
void cli_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);		/* "Warning: ..." */
/* As cli_error(), with "Warning:". */
void cli_warn_err(const struct err *err);
/* What cli_error() prints. */
void cli_error_text(const struct err *err, struct str *out);

#endif
