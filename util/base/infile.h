/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_INFILE_H
#define BASE_INFILE_H
/*
 * Opening files for reading that somebody else may have put there: a FIFO does not make us wait for
 * a writer, a terminal is not taken over, and of a file that decides what perf does it can be asked
 * that it is root's or the caller's. Any thread.
 */
#include <sys/stat.h>

#include "util/base/err.h"
#include "util/base/str.h"

enum {
	/* the user named it: a FIFO, a terminal or another device is meant. Its reads wait, the
	 * open does, too, for a FIFO's writer; signals end that: -EINTR where they are blocked */
	INFILE_NAMED = 1,
	INFILE_TRUSTED = 2,	/* of root or the caller only: else -EPERM */
};

/* A descriptor with O_CLOEXEC, or -errno: -ENOENT and the like, -EINVAL for what is no regular
 * file (without INFILE_NAMED). */
int infile_open(const char *path, unsigned flags, struct err *err);
/* Opens it and appends all of it to out; at most max_bytes, more is -EFBIG. */
int infile_read(const char *path, unsigned flags, size_t max_bytes, struct str *out,
		struct err *err);
/* Whether the file is root's or the caller's. */
bool infile_is_trusted(const struct stat *st);
#endif
