/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FLAME_PRIV_H
#define ANALYSIS_FLAME_PRIV_H
/*
 * Between collect.c (samples come) and finish.c (what came is put in order).
 */
#include "util/analysis/absences.h"
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
	struct off_cpu *off;		/* NULL: samples are what is counted */
	struct collector *main;
	struct flame_tree tree;
	struct arena arena;
};

struct collector *collector_new(struct flame *f);
void collector_free(struct collector *c);	/* NULL is fine */
/* The node of a sample's stack, and its track. */
u32 flame_node(struct collector *c, const struct sink_item *it);
u32 flame_track(struct collector *c, const struct event *e, const struct resolved *r);
/* The stack from its innermost frame on, below a node. */
u32 flame_reversed(struct collector *c, const struct sink_item *it, u32 node);
/* The node below one, of a frame that is only a name; text is kept. */
u32 flame_marked(struct collector *c, u32 node, const char *text);
void flame_count(struct collector *c, struct sum_slot sum, u64 time_ns);

/* off-cpu.c */
struct off_cpu *off_cpu_new(struct flame *f, const struct absences_opts *o);
void off_cpu_free(struct off_cpu *o);		/* NULL is fine */
struct sink *off_cpu_sink(struct off_cpu *o);
void off_cpu_end(struct off_cpu *o);		/* nothing more comes */

/* The nodes of in, whose tags are frames, into out in the order of struct flame_tree; number: of
 * each node of in there. */
void flame_order_nodes(const struct cct *in, struct flame_tree *out, u32 *number);
/* By what is shown of them: name, file, kind. */
int flame_cmp_frames(const struct flame_frame *a, const struct flame_frame *b);
/* For trees whose tracks are events: the number of its track, which is made; and their order. */
u32 flame_event_track(struct flame_tree *t, const struct event *e);
int flame_by_event(const void *a, const void *b);
/* Sorts n sums, and adds them to those of t: equal ones become one. */
void flame_add_sums(struct flame_tree *t, struct flame_sum *v, size_t n);

#endif
