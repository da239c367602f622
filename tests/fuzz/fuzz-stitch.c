// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call stacks of the CPU that go on with those before them: the first byte is how many registers
 * there are, the second how long a chain may be, then three bytes a sample (its thread and newest
 * register, branches, frames) and two for each branch. What the sample had itself stays in front,
 * and each joined frame is one that its thread had before.
 */
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/event/event.h"
#include "util/stream/stitch.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

enum { THREADS = 4, MOST_BRANCHES = 32, MOST_OWN = 16, MOST_SAMPLES = 256, VAS = 256 };

struct input { const u8 *p; size_t n; };

static u8 take(struct input *in)
{
	return in->n ? in->n--, *in->p++ : 0;
}

struct seen {
	const struct resolved *own;	/* of the sample at hand */
	u32 thread;
	u32 max_frames;
	bool had[THREADS][VAS];		/* frames of samples before it */
	size_t n_samples;
};

static void look(struct sink *s, const struct sink_item *items, size_t n)
{
	struct seen *seen = s->ctx;
	const struct resolved *r = items->res, *own = seen->own;
	const u32 n_own = seen->max_frames ? MIN(own->n_frames, seen->max_frames) :
		own->n_frames;

	if (n != 1 || r->n_frames < n_own ||
	    (seen->max_frames && r->n_frames > seen->max_frames))
		abort();
	for (u32 i = 0; i < r->n_frames; i++)
		if (i < own->n_frames ? r->frames[i].va != own->frames[i].va :
		    !seen->had[seen->thread][r->frames[i].va])
			abort();
	seen->n_samples++;
}

static void put(struct stitch *c, struct input *in, struct seen *seen, const struct event *e)
{
	static struct thread *const threads[THREADS] = { (void *)8, (void *)16, (void *)24 };
	struct perf_branch_entry branches[MOST_BRANCHES];
	struct location frames[MOST_OWN];
	const u8 who = take(in), n_branches = take(in) % (MOST_BRANCHES + 1), how = take(in);
	struct sample s = { .event = e, .branch = { .n = n_branches, .entries = branches,
						    .has_hw_idx = !(who & 0x80),
						    .hw_idx = who >> 2 & 31 } };
	struct resolved r = { .thread = threads[who % THREADS], .frames = frames,
			      .n_frames = how % (MOST_OWN + 1) };
	const struct sink_item item = { .sample = &s, .res = &r };

	memset(branches, 0, sizeof(branches));
	memset(frames, 0, sizeof(frames));
	for (unsigned i = 0; i < n_branches; i++) {
		branches[i].from = take(in);
		branches[i].to = take(in) & 3;
	}
	for (unsigned i = 0; i < r.n_frames; i++) {
		frames[i].va = i < n_branches ? branches[i].from : i;
		frames[i].inline_depth = how & 0x80 ? i % 2 : 0;
	}
	seen->own = &r;
	seen->thread = who % THREADS;
	stitch_sink(c)->samples(stitch_sink(c), &item, 1);
	for (unsigned i = 0; i < r.n_frames; i++)
		seen->had[seen->thread][frames[i].va] = true;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	struct input in = { data, n };
	const u32 n_registers = take(&in) % 33;
	struct seen seen = { .max_frames = take(&in) };
	struct sink sink = { .ctx = &seen, .samples = look };
	const struct event stacks = { .attr = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK } };
	struct stitch *c = stitch_new(&sink, n_registers, seen.max_frames);
	size_t asked = 0;

	for (; in.n && asked < MOST_SAMPLES; asked++)
		put(c, &in, &seen, &stacks);
	if (seen.n_samples != asked)
		abort();
	stitch_free(c);
	return 0;
}
