/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_SYSCAPTURE_H
#define BPF_SYSCAPTURE_H
/*
 * The capture of system calls by BPF: loading, whom to watch, and the records (wire/sysrec.h). One
 * owner. Where it cannot work, opening fails with the reason and what would help; the caller
 * chooses what to fall back to.
 */
#include "util/base/vec.h"
#include "util/os/os.h"
#include "util/wire/sysrec.h"

enum syscapture_engine {
	SYSCAPTURE_ANY,			/* the first that works */
	SYSCAPTURE_BTF,			/* programs that know the kernel's types */
	SYSCAPTURE_RAW,			/* others: without names of files, a little slower */
};

struct syscapture_opts {
	enum syscapture_engine engine;
	const struct sysplan *plans;	/* 2 * SYSPLAN_NRS, borrowed until open returns */
	bool all;			/* every task but our own process and excluded ones */
	bool no_inherit;
	const int_vec *tgids, *tids;	/* processes, threads; NULL: none */
	pid_t held;			/* a workload before its exec, or 0 */
	const int_vec *excluded;	/* with all; NULL: none */
	const int_vec *cpus;		/* only calls on these; NULL: any */
	bool by_uid;
	uid_t uid;
	int cgroup_fd;			/* -1: any */
	bool records, sums, errno_sums, cgroup_sums;
	/* SYSREC_SIGNAL and, where the kernel tells its types, SYSREC_EXIT */
	bool lifecycle;
	bool entered;			/* SYSREC_ENTER of calls that sleep */
	u64 min_ns;
	bool only_failed;
	bool user_stacks, kernel_stacks;
	bool paused;			/* begin with syscapture_pause(.., true) */
	size_t ring_bytes;		/* 0: a default; rounded up to a power of two */
};

struct syscapture;
int syscapture_open(struct syscapture **out, const struct syscapture_opts *o, const struct os *os,
		    struct err *err);
enum syscapture_engine syscapture_engine(const struct syscapture *c);
void syscapture_close(struct syscapture *c);	/* NULL is fine */
/* Stops the programs; what the ring holds can still be read. */
void syscapture_stop(struct syscapture *c);
void syscapture_pause(struct syscapture *c, bool paused);
/* For poll(): readable when the ring fills up. */
int syscapture_fd(const struct syscapture *c);

/* Calls fn for each record in the ring, in order; a positive return stops and is returned. The
 * bytes are borrowed. -errno: the ring cannot be mapped. */
typedef int (*syscapture_fn)(void *ctx, const void *record, size_t bytes);
int syscapture_drain(struct syscapture *c, syscapture_fn fn, void *ctx);
u64 syscapture_lost(const struct syscapture *c);	/* records without room, so far */

/* The sums; fn for each. */
int syscapture_sums(struct syscapture *c, void (*fn)(void *ctx, const struct syssum_key *k,
						     const struct syssum *s), void *ctx);
int syscapture_errnos(struct syscapture *c,
		      void (*fn)(void *ctx, const struct syssum_errno_key *k, u64 n), void *ctx);
/* false: unknown thread */
bool syscapture_task(struct syscapture *c, u32 tid, struct syssum_task *out);
u64 syscapture_sums_lost(const struct syscapture *c);

#endif
