/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H
/*
 * The one way to open an output. What is written is a file of its own, which takes the name's
 * place: what stood there is not written into by mistake, and no link of somebody else leads
 * elsewhere. Links of root or of the user are followed, to any depth. What is no regular file (a
 * FIFO, a terminal, /dev/null, /dev/stdout and other names of open descriptors) is written in
 * place, if the user named it. One owner.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "util/base/err.h"

enum outfile_how {
	/* in place when it is complete (outfile_commit()); until then the old file stays */
	OUTFILE_WHOLE,
	/* in place from the beginning: to be watched. The user's own file, if it has one name, is
	 * emptied and stays */
	OUTFILE_LIVE,
	OUTFILE_APPEND,	/* after what is there */
};

struct outfile_opts {
	enum outfile_how how;
	bool named;		/* by the user: it may be what is no regular file */
	mode_t mode;		/* of a new file, less umask */
	/* what must not be overwritten: the recording that is read; 0: nothing */
	int input_fd;
};

struct outfile {
	int fd;			/* to write to, and for a regular file to read from */
	bool open;
	bool regular;		/* not: a pipe, a terminal... */
	char *path;		/* where it goes, with links followed */
	char *tmp;		/* its name until then; NULL: it is in place. "": it has none yet */
};

/* "-" is the standard output. An error names path, and leaves nothing behind. */
int outfile_open(struct outfile *f, const char *path, const struct outfile_opts *o,
		 struct err *err);
/* The path of a file for a while: in TMPDIR, else /tmp. The caller frees it. */
char *outfile_scratch_path(const char *name);
/* Opens such a file of this process, which outfile_release() takes away. */
int outfile_open_scratch(struct outfile *f, const char *name, struct err *err);
/* The end: closes it, and what was to be written whole takes its place. On an error the old file
 * is there as before. */
int outfile_commit(struct outfile *f, struct err *err);
/* Closes it; what is not in place yet goes. Safe on zero, and after a commit. */
void outfile_release(struct outfile *f);
/* Of an output that is in place from the beginning (not OUTFILE_WHOLE): a descriptor, or -errno. */
int outfile_fd(const char *path, const struct outfile_opts *o, struct err *err);
/* The same for stdio; NULL on an error. */
FILE *outfile_stream(const char *path, const struct outfile_opts *o, struct err *err);
/* A whole file at once. */
int outfile_write(const char *path, const struct outfile_opts *o, const void *bytes, size_t n,
		  struct err *err);
/* Whether the name, with links followed, leads to the file of this descriptor. */
bool outfile_is_same(const char *path, int fd);
/* Whether it is the name of an open descriptor, a link that leads to no name: /proc/self/fd/1
 * (what /dev/stdout leads to). */
bool outfile_is_descriptor(const char *path);
/* 0, or -EPERM with the reason, when path is a link that is neither root's nor the caller's. */
int outfile_check_link(const char *path, struct err *err);

#endif
