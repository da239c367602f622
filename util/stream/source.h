/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_SOURCE_H
#define STREAM_SOURCE_H
/*
 * Where the records of a stream come from, and what is known of their events and of the machine
 * they were made on.
 *
 *	files and pipes	source-file.c: the stream reads them itself, by the cursors of
 *			source->reader: files in chunks, in parallel; pipes in one pass
 *	live		ops: rings of events, records that BPF programs made. Nobody reads ahead:
 *			who waits for them calls ops->pass(), and hands what comes to stream_put()
 *
 * A live source is a struct of its own that begins with this one. One owner, one thread.
 */
#include "util/data/features.h"
#include "util/event/event.h"
#include "util/wire/wire.h"

struct data_reader;
struct source;

/* The records are borrowed for the call; false: no more. */
typedef bool (*source_put)(void *ctx, const struct wire_timed *recs, size_t n);

struct source_ops {
	/* What there is now and older than bound_ns (CLOCK_MONOTONIC; UINT64_MAX: all), in the
	 * order of time. < 0: as err says. */
	int (*pass)(struct source *s, u64 bound_ns, source_put put, void *ctx, struct err *err);
	/* To be polled: readable when a pass would bring something. */
	void (*fds)(const struct source *s, int_vec *out);
	u64 (*lost)(const struct source *s);	/* records that there was no room for */
	void (*close)(struct source *s);
};

struct source {
	const struct source_ops *ops;	/* NULL: a file or a pipe */
	const char *name;		/* for messages: the path as given, "live" */
	struct event_list *events;	/* indexed; of a pipe or a live source more may come */
	const struct data_features *env; /* what is known of the machine; NULL: it is this one */
	bool swap;			/* raw data has the other byte order */
	bool once;			/* cannot be read twice: a pipe, live */
	u64 mtime_s;			/* when it was recorded; 0: now, or unknown */
	struct data_reader *reader;	/* of files and pipes; else NULL */
	const struct given_stacks *given; /* NULL, or of samples of events with .given */
};

/* path NULL: perf.data; flags: enum data_open_flags. source_close() is due even after a failure,
 * which may leave warnings in source->reader. */
int source_open_file(struct source *s, const char *path, unsigned flags, struct err *err);
/* Of a reader that somebody else opened and closes; source_close() is not needed. */
struct source source_of_reader(struct data_reader *r);
/* Safe on a zeroed one. */
void source_close(struct source *s);

#endif
