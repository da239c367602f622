/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ELF_SYMFS_H
#define ELF_SYMFS_H
/*
 * What --symfs says: "DIRECTORY[,LAYOUT]". text is as the user gave it; NULL or "": nothing. Any
 * thread.
 */
#include "util/base/err.h"

int symfs_check(const char *text, struct err *err);	/* 0, or -EINVAL: no such layout */
bool symfs_given(const char *text);
/* Where a file of the recorded machine lies; the caller frees. text must be given. */
char *symfs_path(const char *text, const char *path);
/* the same of a directory */
char *symfs_directory(const char *text, const char *path);
/* path without the directory, if it lies there. Borrowed from path. */
const char *symfs_strip(const char *text, const char *path);

#endif
