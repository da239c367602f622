/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_HEAPPROG_H
#define BPF_HEAPPROG_H
/*
 * The BPF programs that see which memory user programs allocate and free (heap.bpf.c): on which
 * functions of which files they are, when they are on, and what they have seen. One owner. Where
 * they cannot work, opening fails with the reason.
 */
#include "util/base/hash.h"
#include "util/base/vec.h"
#include "util/bpf/stackprog.h"
#include "util/os/os.h"
#include "util/wire/heaprec.h"

/* How functions are probed: what is left of the cost of a call that is not sampled. */
enum heapprog_way {
	HEAPPROG_AUTO,		/* the first that the kernel has */
	HEAPPROG_SESSION,	/* 6.14: no return probe where the entry does not ask for it */
	HEAPPROG_MULTI,		/* 6.6: a return probe always; many functions at once */
	HEAPPROG_SINGLE,	/* the same, one by one */
};

struct heapprog_opts {
	u64 period;		/* 1 .. HEAP_MAX_PERIOD bytes */
	u64 pid_ns_dev, pid_ns;	/* whose numbers records have; 0: the first namespace */
	enum heapprog_way way;
	/* whose tables stacks are unwound by; borrowed, NULL: by frame pointers */
	const struct stackprog *stacks;
	/* what the tables do not know comes with a copy of its stack; without them everything */
	bool copies_stacks;
};

struct heapprog;

/* Nothing is seen yet: see heapprog_switch(). */
int heapprog_open(struct heapprog **out, const struct heapprog_opts *o, const struct os *os,
		  struct err *err);
void heapprog_close(struct heapprog *c);		/* NULL is fine */
void heapprog_switch(struct heapprog *c, bool on);
/* Becomes readable when much is to be drained. Borrowed. */
int heapprog_fd(const struct heapprog *c);
enum heapprog_way heapprog_way(const struct heapprog *c);	/* not AUTO */

/* Functions of one file, for one process or (pid 0) all. */
struct heapprog_place {
	const char *path;	/* for this process; /proc/self/fd/... is fine */
	const char *name;	/* for messages */
	pid_t pid;
	const u64 *offs, *cookies;	/* in the file; wire/heaprec.h */
	size_t n;
};
/* fds: descriptors are added whose closing takes the probes away again. */
int heapprog_attach(struct heapprog *c, const struct heapprog_place *p, const struct os *os,
		    int_vec *fds, struct err *err);

/* r: borrowed, its frames or stack follow it. < 0 ends it. */
typedef int (*heapprog_fn)(void *ctx, const struct heap_rec *r);
/* What came since the last time. 0, or what fn has returned. */
int heapprog_drain(struct heapprog *c, heapprog_fn fn, void *ctx);
/* What these processes (by their numbers in the first pid namespace) still have is of no interest
 * any more: they have ended. */
void heapprog_forget(struct heapprog *c, const struct hmap *tgids);
struct heap_lost heapprog_lost(const struct heapprog *c);
struct heap_totals heapprog_totals(const struct heapprog *c);	/* of all CPUs */

#endif
