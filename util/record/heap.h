/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_HEAP_H
#define RECORD_HEAP_H
/*
 * Memory that programs allocate and free, in a recording: what BPF programs (bpf/heapprog.h) see
 * becomes samples of two events, which are open as others are, so that the file has their ids, but
 * for which the kernel writes nothing.
 *
 *	heap:alloc	a sampled allocation: its address (addr), the bytes that were asked for
 *			(weight), those that it stands for (period), and from where (the stack;
 *			the allocator's own functions are not in it)
 *	heap:free	the free of such a one: the same without stack; ip is the call of free
 *
 * The period of heap:alloc's attr is the one that is sampled by. A piece of s bytes is sampled with
 * the probability min(1, s / period).
 */
#include "util/record/live-unwind.h"
#include "util/record/output.h"

#define HEAP_ALLOC_EVENT "heap:alloc"
#define HEAP_FREE_EVENT "heap:free"

struct heap_recorder;

/* The attrs of the other events are complete, but for what is the same in all. */
void heap_recorder_add_events(struct event_list *list, const struct record_opts *o);

struct heap_recorder_of {
	const struct record_opts *o;
	const struct event_list *list;
	struct live_unwind *live;	/* unwinds stacks; borrowed, NULL: by frame pointers */
};
/* The target is resolved, the events are open. */
int heap_recorder_new(struct heap_recorder **out, const struct heap_recorder_of *of,
		      const struct os *os, struct err *err);
void heap_recorder_free(struct heap_recorder *c);	/* NULL is fine */
/* Before the command runs that pid will be. */
int heap_recorder_add_command(struct heap_recorder *c, pid_t pid, const char *const *argv,
			      struct err *err);
/* A side-band record, also of what was there before: of files that may have to be probed. */
void heap_recorder_sideband(void *c, const struct perf_event_header *rec);
void heap_recorder_switch(struct heap_recorder *c, bool on);
int heap_recorder_fd(const struct heap_recorder *c);	/* as heapprog_fd() */
/* What came since the last pass; not all: what can be written in some milliseconds, so that
 * processes that begin meanwhile are probed in time. data_bytes: what was written is added; NULL is
 * fine. */
int heap_recorder_pass(struct heap_recorder *c, bool all, struct output *out, u64 *data_bytes,
		       struct err *err);
/* Samples of the two events that are missing, so far. */
u64 heap_recorder_lost(const struct heap_recorder *c, const struct event *e);
void heap_recorder_result(const struct heap_recorder *c, struct record_result *res);

#endif
