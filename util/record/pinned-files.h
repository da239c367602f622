/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_PINNED_FILES_H
#define RECORD_PINNED_FILES_H
/*
 * Files that are recorded and may be gone when the recording ends - those of containers, programs
 * that were deleted or that will be - are opened when their mapping is seen, and held open until
 * they are in the build-id cache. Files of the system's own directories stay where they are and are
 * not held. One owner.
 */
#include "util/symbols/mapped.h"

struct pinned_files;

/* How often a recorder that holds files looks for new mappings, ms: a container that ends sooner
 * takes its files with it. */
#define HELD_TICK_MS 20
#define HELD_QUIET_TICK_MS 60	/* while nothing has been mapped for a second */

struct pinned_files *pinned_files_new(const struct os *os);
void pinned_files_free(struct pinned_files *h);
/* The parent of a process: when one is gone, its file is looked for in the root directory of its
 * parents. */
void pinned_files_note_fork(struct pinned_files *h, u32 pid, u32 ppid);
#define PINNED_NOT_NEEDED (-2)
/* The file of a mapping, which the caller closes with pinned_files_close(). -1: it cannot be
 * opened now. id: NULL: the inode counts. snapshot: it was there before the recording began, and is
 * held only when its name leads elsewhere. */
int pinned_files_open(struct pinned_files *h, const struct mapped *m, const struct build_id *id,
		      bool snapshot);
/* The perf map of a process whose /tmp is not ours. -1: there is none now; PINNED_NOT_NEEDED
 * also when the process is gone. */
int pinned_files_open_map(struct pinned_files *h, pid_t pid);
void pinned_files_close(struct pinned_files *h, int fd);

#endif
