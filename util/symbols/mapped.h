/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_MAPPED_H
#define SYMBOLS_MAPPED_H
/*
 * The file behind a mapping's record, looked for while its process may still run. Any thread.
 */
#include "util/symbols/dso.h"

struct mapped {
	const char *path;
	u64 ino;			/* 0: not known */
	pid_t pid;
	bool kernel;
	u64 start_va, end_va;		/* where the process has it; both 0: not known */
};

/* The file that can be opened now: the path itself, or in the process's own root
 * (/proc/PID/root/...) when the file of that name here is another one. NULL: no such file, or none
 * that is a file. The caller frees. */
char *mapped_file(const struct os *os, const struct mapped *m);
/* The one of both that has this build-id. NULL: neither. */
char *mapped_file_with_id(const struct os *os, const struct mapped *m, const struct build_id *id);
/* Opens that file; also one that has no name (any more), while its process maps it. id: which it
 * must have; NULL: the inode counts. *by_name (may be NULL): whether it is the file of that name
 * here. The caller closes; -1: there is none. */
int mapped_open(const struct os *os, const struct mapped *m, const struct build_id *id,
		bool *by_name);
/* Of the kernel, the vdso, or that file. false: none. */
bool mapped_build_id(const struct os *os, const struct mapped *m, struct build_id *out);

#endif
