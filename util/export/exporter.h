/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_EXPORTER_H
#define EXPORT_EXPORTER_H
/*
 * Formats that "perf export" and "perf data convert" write. To add one: a file with a struct
 * exporter export_NAME, and NAME in the list below. It gets a stream through its sink, and writes
 * as it goes, or at the end. One owner.
 */
#include <stdio.h>

#include "util/base/err.h"
#include "util/stream/sink.h"

struct event_list;
struct stream_stats;

/* What there is of each task in formats of stacks: a tree or profile of its own. */
enum export_by { EXPORT_BY_DEFAULT, EXPORT_BY_NONE, EXPORT_BY_COMM, EXPORT_BY_PID, EXPORT_BY_TID };
/* What a stack counts: samples, or what the event counted between them. */
enum export_weight { EXPORT_SAMPLES, EXPORT_PERIOD };

/* Of the recording; all texts may be NULL (not known). */
struct export_facts {
	const char *json;	/* of its header: a JSON object */
	const char *command;	/* what was recorded, in one line */
	const char *made_from;	/* what a database that is kept is compared with */
	const char *host, *arch, *os_release, *cpu;
	u64 captured_s;		/* Unix time when it was written; 0: not known */
	bool has_tod;		/* the clock's clock_ns was the time of day tod_ns */
	u64 tod_ns, clock_ns;
};

struct export_job {		/* all borrowed until free() */
	FILE *fp;
	const char *out_path;	/* its name, for messages */
	const struct event_list *events;
	const char *path;	/* of the recording, for messages */
	struct export_facts facts;
	const struct stream_stats *stats;	/* of the stream: known at the end */
	bool swap;		/* the recording has the other byte order */
	bool pipe;		/* its events are not known yet */
	bool no_inline, lines;	/* lines of the source are wanted where they cost time */
	enum export_by by;
	enum export_weight weight;
	/* fp is NULL, out_path a directory: files below it (also with exporter.directory);
	 * existing ones are written over by force */
	bool partition, force;
	/* records that are no samples are written, too, and counted there; NULL: they are not */
	u64 *n_records;
};

struct exporter {
	const char *format;	/* "folded": of perf export; NULL: it has no such */
	const char *option;	/* "to-json" of perf data convert: its argument is the output */
	const char *help;
	const char *items;	/* what end() counts: "samples" */
	bool binary;		/* nothing for a terminal */
	bool partitions;	/* it can write several files into a directory */
	bool directory;		/* it always does so: the output is one */
	bool own_file;		/* it writes to fp's descriptor, anywhere: a regular file */
	/* Returns its state, and where samples go; NULL: err says why the recording cannot be
	 * written so. */
	void *(*begin)(const struct export_job *job, struct sink **sink, struct err *err);
	/* Everything was seen: the rest of the output; n: how many items it has. 0 or -errno; what
	 * fp says of its writes is for the caller to ask. */
	int (*end)(void *state, u64 *n, struct err *err);
	void (*free)(void *state);
};

#define EXPORTERS(X) \
	X(folded) \
	X(speedscope) \
	X(pprof) \
	X(gecko) \
	X(csv) \
	X(json) \
	X(samples_json) \
	X(trace_samples) \
	X(perfetto) \
	X(otlp) \
	X(parquet) \
	X(ctf) \
	X(sqlite) \
	X(trace_json)

#define EXPORTER_EXTERN(name) extern const struct exporter export_##name;
EXPORTERS(EXPORTER_EXTERN)
extern const struct exporter *const exporters[];	/* ended by NULL */

#endif
