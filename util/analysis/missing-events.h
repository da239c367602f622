/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_MISSING_EVENTS_H
#define ANALYSIS_MISSING_EVENTS_H
/*
 * What is said of a recording that does not have the events that an analysis needs. Any thread.
 */
#include "util/base/err.h"
#include "util/event/event.h"

struct events_needed {
	const char *whose;	/* "of locks": which events these are */
	const char *none;	/* "no lock contention events": there are none */
	const char *record;	/* the command that records them */
};

/* A tracepoint has no name: the end of the file, with their names, is missing. */
bool events_have_no_names(const struct event_list *l);
/* -ENOENT, with the reason and how to get them. */
int events_missing(const struct event_list *l, const char *path, const struct events_needed *n,
		   struct err *err);

#endif
