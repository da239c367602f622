/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_CSV_H
#define BASE_CSV_H
/*
 * A field of CSV (RFC 4180). Any thread.
 */
#include "util/base/str.h"

/* Untrusted text: control characters become \xNN, which takes line ends with them; what has a quote
 * or the separator (not "") stands between quotes, which are doubled inside. */
void csv_add_text(struct str *out, const char *sep, const char *text);
/* Between quotes in any case. */
void csv_add_quoted(struct str *out, const char *text, size_t n);

#endif
