// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Groups of which only the leader samples ({a,b}:S): a sample carries the counts of all members.
 * Each member whose count grew since its last sample is a sample of its own, with the growth as its
 * period. Counts are of a counter, and where counters are inherited each task has counts of its own
 * under the same id.
 */
#include "util/stream/stream-priv.h"

struct read_count { u64 id; u32 tid; bool used; u64 value; };

struct read_counts {
	struct read_count *v;
	size_t n, mask;
};

bool stream_has_reads(const struct event_list *l)
{
	return event_list_samples(l, PERF_SAMPLE_READ);
}

static struct read_count *slot(struct read_counts *c, u64 id, u32 tid)
{
	size_t i = hash_u64(id ^ hash_u64(tid)) & c->mask;

	while (c->v[i].used && (c->v[i].id != id || c->v[i].tid != tid))
		i = (i + 1) & c->mask;
	return &c->v[i];
}

static void grow(struct read_counts *c)
{
	struct read_counts bigger = { .n = c->n, .mask = c->v ? c->mask * 2 + 1 : 63 };

	bigger.v = xcalloc(bigger.mask + 1, sizeof(*bigger.v));
	for (size_t i = 0; c->v && i <= c->mask; i++) {
		if (c->v[i].used)
			*slot(&bigger, c->v[i].id, c->v[i].tid) = c->v[i];
	}
	free(c->v);
	*c = bigger;
}

struct read_counts *read_counts_new(void)
{
	return xnew(struct read_counts);
}

void read_counts_free(struct read_counts *c)
{
	if (!c)
		return;
	free(c->v);
	free(c);
}

u64 read_counts_step(struct read_counts *c, u64 id, u32 tid, u64 value)
{
	struct read_count *s;
	u64 before;

	if (!c->v || c->n * 2 > c->mask)
		grow(c);
	s = slot(c, id, tid);
	if (!s->used) {
		*s = (struct read_count){ .id = id, .tid = tid, .used = true };
		c->n++;
	}
	before = s->value;
	s->value = value;
	return value - before;
}
