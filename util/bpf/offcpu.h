/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_OFFCPU_H
#define BPF_OFFCPU_H
/*
 * The BPF programs that measure for how long threads are blocked (offcpu.bpf.c): whom they watch,
 * when they are on, and what they have measured. One owner. Where they cannot work, opening fails
 * with the reason.
 */
#include "util/base/vec.h"
#include "util/bpf/stackprog.h"
#include "util/os/os.h"
#include "util/wire/offcpurec.h"

struct offcpu_opts {
	const int_vec *tids;	/* threads; NULL: all of the system */
	pid_t held;		/* one more, from its next execve on; 0: none */
	bool inherit;		/* tids and held: what they start, too */
	const int_vec *cpus;	/* only threads that leave one of these; NULL: any */
	/* only threads in one of these when they leave, at most SCOPE_MAX_CGROUPS of cgroup
	 * version 2; NULL: any */
	const int_vec *cgroup_fds;
	/* of the pid namespace whose numbers tids are, and the results; 0: the first one */
	u64 pid_ns;
	bool by_uid;		/* only threads of this user */
	uid_t uid;
	u64 thresh_ns;		/* blocks that are as long are records of their own at once */
	u32 n_sums;		/* most that are kept; 0: the default */
	/* whose tables stacks are unwound by; borrowed, NULL: by frame pointers */
	const struct stackprog *stacks;
};

struct offcpu;
struct offcpu_lost { u64 n, ns; };

/* Nothing is measured yet: see offcpu_switch(). */
int offcpu_open(struct offcpu **out, const struct offcpu_opts *o, const struct os *os,
		struct err *err);
void offcpu_close(struct offcpu *c);		/* NULL is fine */
void offcpu_switch(struct offcpu *c, bool on);
/* Becomes readable when much is to be drained. Borrowed. */
int offcpu_fd(const struct offcpu *c);

/* s: borrowed; its frames end with n_frames. < 0 ends it. */
typedef int (*offcpu_fn)(void *ctx, const struct offcpu_sum *s);
/* The single blocks since the last time. 0, or what fn has returned. */
int offcpu_drain(struct offcpu *c, offcpu_fn fn, void *ctx);
/* The lessons since the last time; before the blocks that they are of. l: borrowed. */
typedef int (*offcpu_lesson_fn)(void *ctx, const struct offcpu_lesson *l);
int offcpu_learn(struct offcpu *c, offcpu_lesson_fn fn, void *ctx);
/* The sums as they are now; they stay. */
int offcpu_sums(struct offcpu *c, offcpu_fn fn, void *ctx);
/* It is of a program in whose place the process has executed another one since. */
bool offcpu_is_replaced(const struct offcpu *c, const struct offcpu_sum *s);
/* For good; fn: the blocks that go on. */
int offcpu_stop(struct offcpu *c, const struct os *os, offcpu_fn fn, void *ctx);
/* Blocks that found no room anywhere; ns: of those whose length was known. */
struct offcpu_lost offcpu_lost(const struct offcpu *c);

#endif
