/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_TRACEPOINT_CHECK_H
#define EVENT_TRACEPOINT_CHECK_H
/*
 * Whether the text of a tracepoint's format is well-formed: libtraceevent trusts it, and crashes on
 * damaged ones.
 */
#include "util/base/types.h"

/* NULL, or what is wrong with it. *fields_end: the length up to which it is good (before "print
 * fmt:", when that is damaged). */
const char *tp_format_check(const char *text, size_t *fields_end);

#endif
