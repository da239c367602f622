/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_ERR_H
#define BASE_ERR_H
/*
 * The one error type. A fallible function takes a struct err * as its last parameter and returns 0
 * or a negative errno; on failure it fills message and hint, on success it leaves both alone. Only
 * cli prints errors.
 *
 * Message: lower case, no full stop: what failed, the subject quoted, the system's reason.
 * Hint: the next step that works (a sysctl, a capability, a package); may hold several lines.
 */
#include "util/base/types.h"

struct err {
	int code;	/* positive errno, 0 while unset */
	char *msg;	/* owned */
	char *hint;	/* owned, NULL without one */
	int status;	/* the exit status of a perf that ends with it; 0: that of any failure */
};

#define ERR_INIT { 0, NULL, NULL, 0 }

/* Sets the message (replacing an older one, dropping its hint) and returns -code; code is a
 * positive errno (0 becomes EINVAL). err may be NULL: then only the return value tells. */
int err_set(struct err *err, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* err_set() with ": strerror(code)" after the text, and a hint where the code alone tells what
 * helps (a full disk, the limit of open files). */
int err_sys(struct err *err, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Sets the hint of an error that is set; replaces an older hint. */
void err_hint(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Puts "text: " before the message; returns -code. */
int err_prefix(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
void err_release(struct err *err);	/* back to ERR_INIT; safe on zero, and on NULL */

#endif
