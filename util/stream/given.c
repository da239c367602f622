// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/given.h"

struct given {
	const struct given *next;	/* of the same hash */
	u64 time_ns, ip;
	u32 tid;
	u64 chain_n;
	const u64 *chain;
	struct branch_view branch;
};

void given_stacks_release(struct given_stacks *g)
{
	hmap_release(&g->by_sample);
	arena_release(&g->arena);
}

static u64 key_of(const struct sample *s)
{
	return hash_u64(hash_u64(s->time_ns ^ (u64)s->tid << 40) ^ s->ip) | 1;
}

void given_stacks_add(struct given_stacks *g, const struct sample *s)
{
	const u64 key = key_of(s);
	struct given *v = arena_alloc(&g->arena, sizeof(*v));

	*v = (struct given){ .next = hmap_get(&g->by_sample, key), .time_ns = s->time_ns,
			     .ip = s->ip, .tid = s->tid, .chain_n = s->chain_n,
			     .branch = s->branch };
	v->chain = arena_dup(&g->arena, s->chain, s->chain_n * sizeof(*s->chain));
	v->branch.entries = arena_dup(&g->arena, s->branch.entries,
				      s->branch.n * sizeof(*s->branch.entries));
	hmap_put(&g->by_sample, key, v);
}

void given_stacks_fill(const struct given_stacks *g, struct sample *s, u64 given)
{
	const struct given *v = g ? hmap_get(&g->by_sample, key_of(s)) : NULL;

	s->present |= given;
	while (v && (v->time_ns != s->time_ns || v->tid != s->tid || v->ip != s->ip))
		v = v->next;
	if (v && given & PERF_SAMPLE_CALLCHAIN) {
		s->chain = v->chain;
		s->chain_n = v->chain_n;
	}
	if (v && given & PERF_SAMPLE_BRANCH_STACK)
		s->branch = v->branch;
}
