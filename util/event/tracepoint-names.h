/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_TRACEPOINT_NAMES_H
#define EVENT_TRACEPOINT_NAMES_H
/*
 * The names that a tracepoint's print format gives to values of its fields (__print_flags,
 * __print_symbolic). Any thread.
 */
#include "util/event/tracepoint.h"

struct tp_value_name {
	const char *field;
	bool flags;		/* bits, each of which has a name; else values */
	const char *delimiter;	/* between the names of bits; "" of values */
	const char *name;	/* NULL: the field itself is introduced, its names follow */
	u64 value;
};

/* In the order of the format. What is handed out is borrowed from f. */
void tp_value_names(const struct tp_format *f,
		    void (*visit)(void *ctx, const struct tp_value_name *n), void *ctx);

#endif
