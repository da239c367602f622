// SPDX-License-Identifier: GPL-2.0-or-later
// --itrace=G, L: samples of other events, and what the trace knows of their callers then.
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/inject/itrace-priv.h"
#include "util/stream/sink.h"

/* Which of PERF_SAMPLE_CALLCHAIN and PERF_SAMPLE_BRANCH_STACK samples of this event get. */
static u64 asked_of(const struct traces *t, const struct event *e)
{
	const struct itrace_opts *o = t->o;
	const u64 wanted = (o->extra.chain_all ? PERF_SAMPLE_CALLCHAIN : 0) |
		(o->extra.last_all ? PERF_SAMPLE_BRANCH_STACK : 0);
	const u64 needed = PERF_SAMPLE_TIME | PERF_SAMPLE_TID | PERF_SAMPLE_IP;

	if (e->dummy || e->decoded || (e->attr.sample_type & needed) != needed)
		return 0;
	return wanted & ~e->attr.sample_type;
}

void trace_asked_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	struct traces *t = s->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *p = items[i].sample;

		if (asked_of(t, p->event))
			vec_push(&t->asked, ((struct trace_asked){
				.ns = p->time_ns, .ip = p->ip, .tid = p->tid,
				.cpu = p->present & PERF_SAMPLE_CPU ? p->cpu : (u32)-1 }));
	}
}

bool trace_asked_is_of(const struct trace_asked *a, const struct trace_queue *q)
{
	return q->cpu != (u32)-1 ? a->cpu == q->cpu : a->tid == q->tid;
}

void trace_asked_answer(struct traces *t, struct trace_asked *a, const struct trace_stack *stack)
{
	const struct itrace_opts *o = t->o;

	if (o->extra.chain_all) {
		a->chain = xcalloc(o->chain_max, sizeof(*a->chain));
		a->n_chain = trace_stack_chain(stack, t->m, a->ip, a->chain, o->chain_max);
	}
	if (o->extra.last_all) {
		a->branches = xcalloc(o->last_max, sizeof(*a->branches));
		a->n_branches = trace_stack_last(stack, a->branches, o->last_max);
	}
}

void trace_asked_finish(struct traces *t, struct given_stacks *out)
{
	for vec_each(a, &t->asked)
		given_stacks_add(out, &(struct sample){
			.time_ns = a->ns, .tid = a->tid, .ip = a->ip, .chain = a->chain,
			.chain_n = a->n_chain,
			.branch = { .n = a->n_branches, .entries = a->branches,
				    .has_hw_idx = true } });
	for vec_each(e, &t->r->events.events) {
		(*e)->given = asked_of(t, *e);
		(*e)->attr.sample_type |= (*e)->given;
	}
}

void trace_asked_release(struct traces *t)
{
	for vec_each(a, &t->asked) {
		free(a->chain);
		free(a->branches);
	}
	vec_free(&t->asked);
}
