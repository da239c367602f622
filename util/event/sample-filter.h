/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_SAMPLE_FILTER_H
#define EVENT_SAMPLE_FILTER_H
/*
 * Filters of samples (--filter of an event that is no tracepoint), which a BPF program applies:
 *
 *	all   := any ("," any)*		each holds
 *	any   := both ("||" both)*
 *	both  := one ("&&" one)*
 *	one   := "(" all ")" | term op value
 *	op    := == != > >= < <= &
 *
 * Upstream has neither "&&" nor parentheses. Terms and their values are in a table of the .c file
 * and in perf-record(1). Any thread.
 */
#include "util/event/event.h"
#include "util/wire/filterrec.h"

/* Whether its filter is one, and not the kernel's. */
bool sample_filter_is_of(const struct perf_event_attr *attr);
/* -EINVAL with the place where it is wrong. fields, if wanted: PERF_SAMPLE_* that it reads. */
int sample_filter_check(const char *text, u64 *fields, struct err *err);
/* The filter of that event, whose attr is complete, for the program; -EINVAL: its samples have not
 * what the filter reads. */
int sample_filter_make(const struct event *e, const struct os *os, struct filterrec *out,
		       struct err *err);

#endif
