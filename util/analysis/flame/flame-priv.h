/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FLAME_PRIV_H
#define ANALYSIS_FLAME_PRIV_H
/*
 * Between collect.c (samples come) and finish.c (what came is put in order).
 */
#include "util/analysis/flame/flame.h"
#include "util/analysis/hist/cct.h"

/* Sums by (track, node, slice), open addressing; n 0: empty. */
struct sum_slot { u32 track, node; u64 slice; u64 period, n; };
struct sum_table {
	struct sum_slot *slots;
	size_t n, mask;
};

/* The last stack of a thread: as far as the next one is the same, its nodes are. */
struct last_frame { u64 va; const void *name; u32 node; };
struct last_stack {
	const struct thread *thread;
	u32 n, cap;
	struct last_frame *v;
};
#define N_LAST 64

struct collector {			/* one per clone */
	struct sink sink;
	struct flame *flame;
	struct cct tree;		/* tags: ids of frames */
	struct idset frames;		/* name, dso, kind */
	VEC(u64) rvas;			/* by frame: where the function begins, or the call */
	VEC(const struct inline_frame *) inlines;	/* by frame, or NULL */
	struct idset tracks;		/* event, thread, name */
	struct sum_table sums;
	unsigned shift;			/* a slice is 1 << shift ns */
	u64 first_ns, last_ns;
	struct last_stack last[N_LAST];
};

struct flame {
	struct flame_opts o;
	struct collector *main;
	struct flame_tree tree;
	struct arena arena;
};

/* The nodes of in, whose tags are frames, into out in the order of struct flame_tree; number: of
 * each node of in there. */
void flame_order_nodes(const struct cct *in, struct flame_tree *out, u32 *number);
/* Sorts n sums, and adds them to those of t: equal ones become one. */
void flame_add_sums(struct flame_tree *t, struct flame_sum *v, size_t n);

#endif
