/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_FILE_WATCH_H
#define OS_FILE_WATCH_H
/*
 * Files that change, be it that they are written or that another one takes their name (as editors
 * do). One owner; zeroed memory with fd -1 is safe to release.
 */
#include "util/base/err.h"
#include "util/base/vec.h"

struct file_watch_name { int wd; char *name; };	/* owned */
struct file_watch {
	int fd;				/* to be polled; -1: none */
	VEC(struct file_watch_name) names;
};

int file_watch_init(struct file_watch *w, struct err *err);
/* The file's directory must be there, the file need not. A link is watched at both of its ends. */
int file_watch_add(struct file_watch *w, const char *path, struct err *err);
/* Whether one of them has changed since the last call; does not block. */
bool file_watch_changed(struct file_watch *w);
void file_watch_release(struct file_watch *w);

/* A lock that ends with the last process that has the descriptor (children too), whatever ends it.
 * -EAGAIN: another process has it. */
int file_lock(int fd);

#endif
