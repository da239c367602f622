// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/rows.h"

void export_rows_begin(struct export_rows *r, const struct export_job *job,
		       const struct frame_texts *frames, bool lines,
		       void (*samples)(struct sink *, const struct sink_item *, size_t))
{
	const struct stacks_opts o = { .events = job->events, .no_inline = job->no_inline,
				       .detail = STACKS_ADDRESSES, .lines = lines };

	*r = (struct export_rows){ .job = *job, .frames = *frames, .stacks = stacks_new(&o) };
	r->sink = (struct sink){ .wants = SINK_ORDER | stacks_sink(r->stacks)->wants,
				 .samples = samples };
}

const struct stack_frame *export_rows_leaf(const struct export_rows *r, u32 node)
{
	return &stacks_frames(r->stacks)[stacks_nodes(r->stacks)[node].what];
}

void export_rows_release(struct export_rows *r)
{
	frame_texts_release(&r->frames);
	str_release(&r->out);
	str_release(&r->scratch);
	stacks_free(r->stacks);
}
