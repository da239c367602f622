/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_ROWS_H
#define EXPORT_ROWS_H
/*
 * What exporters have in common that write samples one by one, in the order of time, each with its
 * stack as text. One owner, one thread.
 */
#include "util/export/exporter.h"
#include "util/export/frame-texts.h"

struct export_rows {
	struct sink sink;		/* .ctx is the exporter */
	struct export_job job;
	struct stacks *stacks;		/* stacks_add() gives a sample's node */
	struct frame_texts frames;
	struct str out, scratch;	/* out: what is not written yet */
	u64 n;				/* samples; the exporter counts them */
};

/* Names, outermost first, with ; between them. */
extern const struct frame_texts export_folded_frames;

/* frames: its members that the owner sets. of: detail and lines, the rest is the job's. Never
 * fails; r->sink is for the stream as long as r stays where it is. */
void export_rows_begin(struct export_rows *r, const struct export_job *job,
		       const struct frame_texts *frames, struct stacks_opts of,
		       void (*samples)(struct sink *, const struct sink_item *, size_t));
/* The innermost frame of a node. */
const struct stack_frame *export_rows_leaf(const struct export_rows *r, u32 node);
void export_rows_release(struct export_rows *r);

#endif
