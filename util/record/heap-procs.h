/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_HEAP_PROCS_H
#define RECORD_HEAP_PROCS_H
/*
 * The processes whose memory is recorded: in which files each is probed, and whose child it is. A
 * child is in all files that its parent is. Records are read from one CPU's buffer after the other:
 * the end of a parent may come before the beginning of its child, and the end of a process before
 * its beginning. So who has ended is kept for a while. One owner; knows nothing of probes but their
 * descriptors.
 */
#include "util/base/hash.h"
#include "util/base/num.h"
#include "util/base/vec.h"
#include "util/wire/wire.h"

struct heap_proc {
	VEC(u32) files;		/* numbers, the owner's; each once */
	int_vec fds;		/* of its probes */
	u32 ppid;		/* 0: not known */
	u64 began_ns, ended_ns;	/* of its FORK (0: not known) and EXIT, by the clock of these */
	bool ended;
};

struct heap_procs {
	struct hmap by_pid;	/* struct heap_proc *, owned */
	VEC(u32) ended;		/* pids that are kept, a ring */
	size_t next_ended;
};

void heap_procs_release(struct heap_procs *ps);		/* descriptors are not closed */
void heap_procs_take(struct heap_procs *ps, int_vec *fds);	/* those of all: as of exit */
/* Also one that has ended; NULL: there is none. Borrowed until the next call that makes or ends. */
struct heap_proc *heap_procs_get(const struct heap_procs *ps, u32 pid);
/* That lives, made if it is not there, or anew if the one of this number has ended. */
struct heap_proc *heap_procs_make(struct heap_procs *ps, u32 pid);
bool heap_proc_has(const struct heap_proc *pr, u32 file);
void heap_proc_add(struct heap_proc *pr, u32 file);

/* The processes that are to be probed where their parents are, those before their children: that
 * of the FORK, and children whose FORK was read before. Ended ones are among them. pids: added. */
typedef VEC(u32) heap_pids;
void heap_procs_fork(struct heap_procs *ps, const struct wire_task *t, heap_pids *pids);
/* Of a whole process. fds: its descriptors are moved there. */
void heap_procs_exit(struct heap_procs *ps, const struct wire_task *t, int_vec *fds);

#endif
