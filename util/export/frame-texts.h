/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_FRAME_TEXTS_H
#define EXPORT_FRAME_TEXTS_H
/*
 * Frames as text, made once each, for formats that write the frames of each sample. Zeroed memory
 * is empty. One owner.
 */
#include "util/analysis/hist/stacks.h"
#include "util/base/arena.h"
#include "util/base/vec.h"

struct frame_texts {
	struct arena arena;
	VEC(struct span) texts;		/* by frame */
	VEC(u32) chain;
	struct str scratch;
	/* the owner's: what is between frames; writes a new frame's text */
	const char *sep;
	void (*make)(struct str *out, const struct stack_frame *f);
};

void frame_texts_release(struct frame_texts *t);
/* The frames of a node's stack with sep between them. */
void frame_texts_add(struct frame_texts *t, const struct stacks *st, u32 node, bool caller_first,
		     struct str *out);

#endif
