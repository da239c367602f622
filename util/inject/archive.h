/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef INJECT_ARCHIVE_H
#define INJECT_ARCHIVE_H
/*
 * The binaries of a recording in one file, for a report on another machine: the entries of the
 * build-id cache of what samples hit, packed by the tar program. What is not in the cache yet is
 * put there first, if its file is still the same.
 */
#include "util/inject/inject.h"

struct archive_opts {
	struct inject_opts in;		/* input, symbols, stats, say */
	const char *cache_dir;
	/* a file with build-ids that are not wanted, as buildid-list prints them; or NULL */
	const char *exclude;
	bool all;			/* the recording goes in too */
};

struct archive_result {
	char *path;			/* of the archive; owned */
	u64 n_packed, n_missing, n_excluded;	/* binaries */
	/* entries that do not belong into a build-id cache, when unpacked */
	u64 n_left_out;
	char *left_out;			/* the first of them, from an untrusted file; owned */
};

/* src: opened from o->in.input, borrowed. */
int archive_create(const struct archive_opts *o, const struct source *src, const struct os *os,
		   struct archive_result *res, struct err *err);
/* path NULL: the archive in this directory. One of --all leaves its recording in this directory
 * (an existing file is an error). What an archive holds is not trusted: nothing is written outside
 * of cache_dir, and nothing is left where it cannot be unpacked. */
int archive_unpack(const char *path, const char *cache_dir, struct archive_result *res,
		   struct err *err);
void archive_result_release(struct archive_result *res);

#endif
