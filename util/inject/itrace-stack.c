// SPDX-License-Identifier: GPL-2.0-or-later
// What called what, by the branches of a trace: a stack for each thread.
#include <stdlib.h>

#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/inject/itrace-priv.h"

enum { MOST_DEPTH = 1 << 16 };

/* end: tracing went off there, and goes on behind it without a return. */
struct call { u64 back_va; bool end; };
struct trace_stack {
	VEC(struct call) calls;
	/* a ring of last branches */
	VEC(struct perf_branch_entry) last;
	size_t next;
};

struct trace_stack *trace_stack_of(struct hmap *stacks, u32 tid)
{
	struct trace_stack *s = hmap_get(stacks, (u64)tid + 1);

	if (!s) {
		s = xnew(struct trace_stack);
		hmap_put(stacks, (u64)tid + 1, s);
	}
	return s;
}

void trace_stacks_release(struct hmap *stacks)
{
	for hmap_each(i, stacks) {
		struct trace_stack *s = stacks->vals[i];

		vec_free(&s->calls);
		vec_free(&s->last);
		free(s);
	}
	hmap_release(stacks);
}

static void push(struct trace_stack *s, const struct pt_event *e)
{
	const u64 back = e->from + (e->insn ? e->insn->bytes : 0);

	if (e->to == back || s->calls.n >= MOST_DEPTH)	/* asks only where it is */
		return;
	vec_push(&s->calls, ((struct call){ back, e->flags & PT_F_END }));
}

/* Functions that were left without a return (exceptions, longjmp) go with the one that returns;
 * to: where it does. */
static void pop(struct trace_stack *s, u64 to)
{
	for (size_t i = s->calls.n; i--; ) {
		if (s->calls.v[i].back_va != to)
			continue;
		s->calls.n = i;
		return;
	}
}

unsigned trace_stack_step(struct trace_stack *s, const struct pt_event *e)
{
	if (e->flags & PT_F_BEGIN) {
		if (s->calls.n && vec_last(&s->calls)->end)
			s->calls.n--;
	} else if (e->flags & PT_F_CALL) {
		push(s, e);
	} else if (e->flags & PT_F_RETURN) {
		pop(s, e->to);
		return (unsigned)s->calls.n + 1;
	}
	return (unsigned)s->calls.n;
}

void trace_stack_note(struct trace_stack *s, const struct pt_event *e, unsigned max)
{
	const struct perf_branch_entry b = {
		.from = e->from, .to = e->to,
		.abort = e->flags & PT_F_TX_ABORT ? 1 : 0, .in_tx = e->flags & PT_F_IN_TX ? 1 : 0,
	};

	if (s->last.n < max)
		vec_push(&s->last, b);
	else
		s->last.v[s->next % max] = b;
	s->next++;
}

size_t trace_stack_last(const struct trace_stack *s, struct perf_branch_entry *out, unsigned max)
{
	const size_t n = MIN(s->last.n, (size_t)max);

	for (size_t i = 0; i < n; i++)
		out[i] = s->last.v[(s->next - 1 - i) % s->last.n];
	return n;
}

size_t trace_stack_chain(const struct trace_stack *s, const struct machine *m, u64 ip, u64 *out,
			 size_t max)
{
	u64 context = 0;
	size_t n = 0;

	for (size_t i = s->calls.n + 1; i-- && n < max; ) {
		const u64 va = i == s->calls.n ? ip : s->calls.v[i].back_va;
		const u64 now = machine_is_kernel_va(m, va) ? (u64)PERF_CONTEXT_KERNEL :
			(u64)PERF_CONTEXT_USER;

		if (now != context) {
			if (n + 1 >= max)
				break;
			out[n++] = context = now;
		}
		out[n++] = va;
	}
	return n;
}
