/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_STACKS_H
#define ANALYSIS_STACKS_H
/*
 * Distinct stacks with what was sampled there: the calling-context tree of the histogram as plain
 * arrays, for whoever writes or draws it (flame graphs, folded text, pprof). A sink that the stream
 * feeds in parallel; memory grows with the number of distinct stacks, not of samples. Frames, roots
 * and nodes are in the order of their first sample in the file, whatever the number of threads.
 *
 *	struct stacks *st = stacks_new(&opts);
 *	... session_run(&s, (struct sink *[]){ stacks_sink(st) }, 1) ...
 *	stacks_finish(st);
 *	for (size_t i = 1; i < stacks_n_nodes(st); i++)
 *		... stacks_nodes(st)[i] ...
 *	stacks_free(st);
 *
 * One owner; read-only, and for any thread, after stacks_finish().
 */
#include "util/stream/sink.h"

/* What makes two frames different. */
enum stacks_detail {
	STACKS_NAMES,		/* the name alone: dso, lines and addresses are not kept */
	STACKS_FUNCTIONS,	/* name and dso */
	STACKS_LINES,		/* and the line where execution is in it */
	STACKS_ADDRESSES,	/* each address, with its inlined functions */
};

struct stacks_opts {
	const struct event_list *events;	/* borrowed */
	enum stacks_detail detail;
	bool lines;	/* STACKS_ADDRESSES: with source lines, which costs a look-up each */
	/* what roots are made of, besides the event */
	bool by_comm, by_pid, by_tid;
	bool no_inline;		/* inlined functions are not frames of their own */
};

struct stack_frame {
	const char *name;	/* function, "[file.so]" where it has none; never NULL */
	const struct dso *dso;	/* NULL: nothing mapped there, or STACKS_NAMES */
	const char *file;	/* of the source; NULL: unknown, or not asked for */
	u32 line;
	u8 cpumode;		/* PERF_RECORD_MISC_KERNEL, USER, ... */
	bool unnamed;		/* the name only stands for one */
	bool inlined;		/* into the frame above (its caller) */
	bool jit;		/* code that a JIT compiler made */
	u64 func_rva;		/* where the function begins; 0: unknown, inlined, JIT */
	u64 rva;		/* STACKS_ADDRESSES: in dso; without one where execution was */
};

struct stack_root {
	const struct event *event;
	const char *comm;	/* by_comm */
	u32 pid, tid;		/* by_pid, by_tid; else 0 */
};

/* Number 0 is above all. Parents come before their children. Nodes whose parent is 0 are roots,
 * with a number into stacks_roots(); all others are frames, into stacks_frames(). */
struct stack_node {
	u32 parent, what;
	u64 period, n;		/* of the samples that ended here */
};

struct stacks;
struct stacks *stacks_new(const struct stacks_opts *opts);
void stacks_free(struct stacks *st);		/* NULL is fine */
struct sink *stacks_sink(struct stacks *st);	/* valid as long as st */
/* Instead of the sink, by who takes samples one by one, in one thread: the sample's node. What the
 * arrays have then is final, but for what was sampled there. */
u32 stacks_add(struct stacks *st, const struct sink_item *it);
/* After the stream ran, once: makes the arrays. */
void stacks_finish(struct stacks *st);
/* Valid until stacks_free(); dsos and names of tasks as long as the session. */
size_t stacks_n_nodes(const struct stacks *st);	/* at least 1 */
const struct stack_node *stacks_nodes(const struct stacks *st);
size_t stacks_n_frames(const struct stacks *st);
const struct stack_frame *stacks_frames(const struct stacks *st);
size_t stacks_n_roots(const struct stacks *st);
const struct stack_root *stacks_roots(const struct stacks *st);

#endif
