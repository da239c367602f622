/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_TRACEPOINT_TEXT_H
#define EVENT_TRACEPOINT_TEXT_H
/*
 * A tracepoint's print format compiled for speed: printf pieces with values that are plain fields,
 * strings or symbolic names. What is beyond that is left to libtraceevent. Frozen after
 * tp_text_new(): any thread may print.
 */
#include "util/event/tracepoint.h"

struct tep_print_arg;
struct tp_text;
/* NULL: the format needs libtraceevent. */
struct tp_text *tp_text_new(const struct tp_format *f, const char *format,
			    const struct tep_print_arg *args);
void tp_text_free(struct tp_text *t);	/* NULL is fine */
void tp_text_print(const struct tp_text *t, struct span raw, bool swap, struct str *out);

#endif
