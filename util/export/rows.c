// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/rows.h"

static void add_frame(struct str *out, const struct stack_frame *f)
{
	str_add_folded(out, f->name);
}

const struct frame_texts export_folded_frames = { .make = add_frame, .between = ";",
						  .caller_first = true };

void export_rows_begin(struct export_rows *r, const struct export_job *job,
		       const struct frame_texts *frames, struct stacks_opts of,
		       void (*samples)(struct sink *, const struct sink_item *, size_t))
{
	of.events = job->events;
	of.no_inline = job->no_inline;
	*r = (struct export_rows){ .job = *job, .frames = *frames, .stacks = stacks_new(&of) };
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
