/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_READERS_H
#define RECORD_READERS_H
/*
 * Threads that read the rings (--threads), each those of its CPUs into a file of its own, data.0,
 * data.1 ... beside DIR/data. The session's own thread reads none: it waits for all else, and keeps
 * what is known of mapped files.
 *
 * Invariants
 *  1. Rings, their positions, the file and the scan of a reader are under its lock, which it
 *     holds from the end of a wait to the next one. The session changes rings (a CPU comes) with
 *     all locks.
 *  2. Records of tasks and mappings that a reader meets it also keeps, until the session's
 *     thread takes them over: that one alone opens files and knows processes.
 *  3. There are no rounds in these files: who reads them merges by time.
 *  4. Where stacks are unwound while recording the session's thread waits for the rings, too, finds
 *     out what they hold, and applies the side-band; then all readers take their rings at a time,
 *     and it waits for them.
 *  5. After a reader's first failure to write, its rings are still emptied.
 *
 * All functions are for the session's thread.
 */
#include "util/record/session.h"

struct readers;

/* Opens the files: of those threads that have a ring. A ring of a CPU that no thread was given is
 * the first one's. */
int readers_new(struct readers **out, struct record_session *s, struct err *err);
/* They read from here on. */
int readers_start(struct readers *r, struct err *err);
/* Readable when there is something to take over, or a reader or a ring has ended. */
int readers_fd(const struct readers *r);
/* Takes over what they have found; all: after everything that the rings hold was read. */
int readers_collect(struct readers *r, bool all, struct err *err);
/* Bytes in all their files: as written, and before compression. */
u64 readers_bytes(const struct readers *r, u64 *unpacked_bytes);
bool readers_alive(const struct readers *r);	/* record_any_alive(), then */
/* Between the two the session may change rings; afterwards those of CPUs that are new belong to
 * somebody. */
void readers_hold(struct readers *r);
void readers_go_on(struct readers *r);
/* Where the records of that ring go; after readers_stop(). */
int readers_write(struct readers *r, size_t slot, struct span a, struct span b, struct err *err);
/* No thread runs any more; rings may still hold records (readers_collect()). */
void readers_stop(struct readers *r);
/* The files are complete. */
int readers_finish(struct readers *r, struct err *err);
void readers_free(struct readers *r);	/* NULL: nothing */

#endif
