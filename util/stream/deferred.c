// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/deferred.h"


void deferred_chains_release(struct deferred_chains *d)
{
	hmap_release(&d->by_cookie);
	arena_release(&d->arena);
}

static u64 key_of(u64 cookie, u32 tid)
{
	return hash_u64(cookie ^ (u64)tid << 32) | 1;
}

void deferred_chains_add(struct deferred_chains *d, const struct perf_event_attr *attr,
			 const struct perf_event_header *rec)
{
	const u64 *words = (const void *)(rec + 1), n_words = (rec->size - sizeof(*rec)) / 8;
	struct deferred_chain *c;
	struct sample_id id = { 0 };
	const char *reason;
	u64 key;

	if (n_words < 2 || words[1] > n_words - 2 || wire_decode_id(attr, rec, &id, &reason) < 0)
		return;
	key = key_of(words[0], id.tid);
	c = arena_alloc(&d->arena, sizeof(*c));
	*c = (struct deferred_chain){ .next = hmap_get(&d->by_cookie, key), .cookie = words[0],
				      .tid = id.tid, .n = words[1],
				      .words = arena_dup(&d->arena, words + 2, words[1] * 8) };
	hmap_put(&d->by_cookie, key, c);
}

const struct deferred_chain *deferred_chains_find(const struct deferred_chains *d, u64 cookie,
						  u32 tid)
{
	const struct deferred_chain *c = hmap_get(&d->by_cookie, key_of(cookie, tid));

	while (c && (c->cookie != cookie || c->tid != tid))
		c = c->next;
	return c;
}
