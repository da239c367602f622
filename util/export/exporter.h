/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_EXPORTER_H
#define EXPORT_EXPORTER_H
/*
 * Formats that "perf data convert" writes. To add one: a file with a struct exporter export_NAME,
 * and NAME in the list below. It gets a stream through its sink, and writes as it goes. One owner.
 */
#include <stdio.h>

#include "util/base/err.h"
#include "util/stream/sink.h"

struct event_list;

struct export_job {		/* all borrowed until free() */
	FILE *fp;
	const struct event_list *events;
	const char *path;	/* of the recording, for messages */
	const char *facts;	/* of its header: a JSON object */
	bool swap;		/* the recording has the other byte order */
	bool pipe;		/* its events are not known yet */
};

struct exporter {
	const char *option;	/* "to-json": its argument is the output */
	const char *help;
	const char *items;	/* what end() counts: "samples" */
	/* Returns its state, and where samples go; NULL: err says why the recording cannot be
	 * written so. */
	void *(*begin)(const struct export_job *job, struct sink **sink, struct err *err);
	/* everything was seen: the rest of the output; how many items it has */
	u64 (*end)(void *state);
	void (*free)(void *state);
};

#define EXPORTERS(X) \
	X(samples_json) \
	X(trace_json)

#define EXPORTER_EXTERN(name) extern const struct exporter export_##name;
EXPORTERS(EXPORTER_EXTERN)
extern const struct exporter *const exporters[];	/* ended by NULL */

#endif
