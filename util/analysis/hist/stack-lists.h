/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_STACK_LISTS_H
#define ANALYSIS_STACK_LISTS_H
/*
 * Distinct stacks by the names of their frames, each as one list: for text that has each stack as
 * a whole. Against struct stacks, which is a tree, it costs one look-up a sample instead of one a
 * frame. A sink that the stream feeds in parallel; memory grows with the number of distinct
 * stacks. They come in the order of their first sample in the file, with any number of threads.
 *
 * One owner; read-only, and for any thread, once all samples are in.
 */
#include "util/analysis/hist/stacks.h"

struct stack_list {
	const u32 *frames;	/* outermost first: numbers for stack_lists_name() */
	u32 n_frames, root;	/* a number for stack_lists_root() */
	u64 period, n;		/* what was sampled there: counts of the event, samples */
	u64 hash;
};

struct stack_lists;
/* detail and lines of opts mean nothing here: frames are names. */
struct stack_lists *stack_lists_new(const struct stacks_opts *opts);
void stack_lists_free(struct stack_lists *st);		/* NULL is fine */
struct sink *stack_lists_sink(struct stack_lists *st);

size_t stack_lists_n(const struct stack_lists *st);
const struct stack_list *stack_lists_at(const struct stack_lists *st, size_t i);
size_t stack_lists_n_names(const struct stack_lists *st);
const char *stack_lists_name(const struct stack_lists *st, size_t i);
size_t stack_lists_n_roots(const struct stack_lists *st);
const struct stack_root *stack_lists_root(const struct stack_lists *st, size_t i);

#endif
