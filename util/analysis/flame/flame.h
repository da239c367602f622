/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FLAME_FLAME_H
#define ANALYSIS_FLAME_FLAME_H
/*
 * Samples as a picture of stacks needs them: one tree of all stacks, frames by name, and sums by
 * (node, track, slice of time). A track is a thread under one name with one event. So any choice of
 * events, threads and times is one pass over the sums, and the size is that of what is distinct,
 * not of the recording.
 *
 *	struct flame *f = flame_new(&opts);
 *	rc = session_run(s, (struct sink *[]){ flame_sink(f) }, 1);
 *	const struct flame_tree *t = flame_finish(f);	// rc == 0
 *	... draws t ...
 *	flame_free(f);
 *
 * Slices are wide enough that neither they nor the sums become too many: they are doubled while
 * samples come. The result does not depend on the number of threads. One owner.
 */
#include "util/base/arena.h"
#include "util/base/vec.h"
#include "util/stream/sink.h"

struct absences_opts;

enum flame_kind {
	FLAME_USER,
	FLAME_KERNEL,
	FLAME_INLINED,
	FLAME_JIT,	/* code made at run time, with a name from its perf map or jitdump */
	FLAME_UNNAMED,	/* no name; called after its file where that is known */
	FLAME_KIND_NR,
};

/* Frames of one name, file and kind are one. */
struct flame_frame {
	const char *name;
	const char *dso;		/* short; "": unknown */
	enum flame_kind kind;
	/* where the function begins (an inlined one: where it is called); NULL: unknown */
	const char *file;
	u32 line;
	struct dso *of;			/* one of those with that name; NULL: none */
	u64 rva;			/* in it */
	bool ends_chain;		/* stands for callers that are not known */
};

struct flame_node { u32 parent, frame; };	/* node 0: the root, frame unused */
/* side: which of two recordings it is of (flame_join()); else 0 */
struct flame_track { const struct event *event; u32 pid, tid; const char *comm; u8 side;
		     const char *event_name; };
struct flame_sum { u32 track, slice, node; u64 period, n; };

struct flame_tree {
	VEC(struct flame_frame) frames;
	/* a parent before its children, each child with all below it before the next one;
	 * children by name */
	VEC(struct flame_node) nodes;
	VEC(struct flame_track) tracks;	/* by event, process, thread, name */
	VEC(struct flame_sum) sums;	/* by track, slice, node */
	u64 first_ns, last_ns;	/* of samples with a time; first > last: none had one */
	u64 slice_ns;		/* slice k begins at first_ns - first_ns % slice_ns + k * it */
	u64 n_samples, period;
	bool joined;			/* of two recordings */
};

struct flame_opts {
	/* How long tasks were off the CPU, by the stack with which they left it. Of that the time
	 * in which a task wanted to run (after a wake-up that was recorded, or when it was
	 * preempted) has a frame of its own below. NULL: what was sampled; copied, texts
	 * borrowed */
	const struct absences_opts *off_cpu;
	bool no_inline;
	bool reverse;			/* stacks begin at the innermost frame */
	u64 max_sums;			/* 0: a default */
	bool no_stacks;			/* only how many samples there were when */
	/* how wide slices are; 0: as it comes out. With a width the number of sums is bounded
	 * only by that of samples */
	u64 slice_ns;
};

struct hist;
struct flame;
struct flame *flame_new(const struct flame_opts *o);
void flame_free(struct flame *f);
struct sink *flame_sink(struct flame *f);
#define FLAME_OFF_CPU_EVENT "off-cpu"	/* what the event of these is called */
/* absences_seen() of it. */
void flame_off_cpu_seen(const struct flame *f, u64 *n_left, u64 *n_back);
/* After the last sample, once. Borrowed until flame_free(); texts of frames until the dsos go. */
struct flame_tree *flame_finish(struct flame *f);

struct flame_tree *flame_tree_of(struct flame *f);	/* the same, afterwards */

/* Of all samples, or of those of an event. */
struct flame_weights {
	u64 *self, *total;		/* by node: periods; total: with all below it */
	u64 *n_self, *n_total;		/* the same of samples */
};
/* event NULL: of all. flame_weights_release() is due. */
void flame_weigh(const struct flame_tree *t, const struct event *event,
		 struct flame_weights *out);
void flame_weights_release(struct flame_weights *w);
/* Where the functions begin, for the heaviest n_max frames. Reads debug information. */
void flame_find_lines(struct flame_tree *t, size_t n_max);
/* Of one frame; as before where that is not known. */
void flame_find_line(struct flame_frame *f);
/* "" for NULL. */
const char *flame_event_name(const struct flame_tree *t, const struct event *event);
size_t flame_n_stacks(const struct flame_tree *t);	/* distinct ones that were sampled */
/* Both as one tree, where frames of one name are one, whatever file they are in, as are tasks and
 * times; old becomes side 0, its events are those of the same name of the other, side 1. Borrows
 * from both. flame_tree_release() is due. */
void flame_join(const struct flame_tree *old, const struct flame_tree *is,
		struct flame_tree *out);
/* The same stacks from their innermost frames on: nodes of the same frames, sums of the same
 * tracks. Borrows from it. flame_tree_release() is due. */
void flame_reverse(const struct flame_tree *t, struct flame_tree *out);
/* The call chains that a histogram has (with callgraph) of all its events: a track each, without
 * times. Of the hist nothing is needed afterwards but its life. flame_tree_release() is due. */
void flame_of_hist(const struct hist *h, struct flame_tree *out);
/* What was counted in stacks of a set: a track for each event, without times. Names are borrowed
 * from the set. flame_tree_release() is due. */
struct stack_set;
struct flame_stack { u32 node; const struct event *event; u64 period, n; };
void flame_of_stacks(const struct stack_set *set, const struct flame_stack *v, size_t n,
		     struct flame_tree *out);
/* Only of flame_join(), flame_reverse(), flame_of_hist() and flame_of_stacks(). */
void flame_tree_release(struct flame_tree *t);
/* Nodes below min_pct of the total of each event go, what they weigh goes to their parents. */
void flame_prune(struct flame_tree *t, double min_pct);

#endif
