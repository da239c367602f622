// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/index.h"

#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/event/event.h"
#include "util/wire/user.h"

enum { MAX_DENSE_IDS = 1 << 16 };

static void drop_dense(struct event_index *x)
{
	free(x->dense);
	x->dense = NULL;
	x->n_dense = 0;
}

static void make_dense(struct event_index *x)
{
	u64 max = 0;

	x->min_id = ~0ULL;
	for hmap_each(i, &x->ids) {
		x->min_id = MIN(x->min_id, x->ids.keys[i]);
		max = MAX(max, x->ids.keys[i]);
	}
	if (!x->ids.n || max - x->min_id >= MAX_DENSE_IDS)
		return;
	x->n_dense = max - x->min_id + 1;
	x->dense = xcalloc(x->n_dense, sizeof(*x->dense));
	for hmap_each(i, &x->ids)
		x->dense[x->ids.keys[i] - x->min_id] = x->ids.vals[i];
}

static void put(struct event_index *x, struct event *e)
{
	for (size_t k = 0; k < e->n_ids; k++)
		hmap_put(&x->ids, e->ids[k], e);
	if (x->sample_pos < 0)
		x->sample_pos = wire_sample_id_pos(&e->attr);
	if (x->record_pos < 0)
		x->record_pos = wire_record_id_pos(&e->attr);
}

/* NULL when there are several: then records need ids. */
static const struct event *only_event(const struct event_list *l)
{
	return l->events.n == 1 ? l->events.v[0] : NULL;
}

void event_list_index(struct event_list *l)
{
	struct event_index *x = &l->index;

	event_index_release(x);
	x->single = only_event(l);
	for vec_each(e, &l->events)
		put(x, *e);
	make_dense(x);
}

void event_list_index_add(struct event_list *l, struct event *e)
{
	drop_dense(&l->index);
	l->index.single = only_event(l);
	put(&l->index, e);
}

void event_index_release(struct event_index *x)
{
	hmap_release(&x->ids);
	drop_dense(x);
	x->single = NULL;
	x->sample_pos = x->record_pos = -1;
}

const struct event *event_list_by_id(const struct event_list *l, u64 id)
{
	return hmap_get(&l->index.ids, id);
}

/* The word that holds the id; 0 without one. */
static u64 record_id(const struct event_index *x, const struct perf_event_header *hdr, u32 type,
		     u16 size, bool swap)
{
	const u64 *w = (const u64 *)(const void *)hdr;
	const unsigned words = size / 8;
	u64 id;

	if (type == PERF_RECORD_SAMPLE) {
		if (x->sample_pos < 0 || (unsigned)x->sample_pos + 1 >= words)
			return 0;
		id = w[1 + x->sample_pos];
	} else {
		if (x->record_pos < 0 || (unsigned)x->record_pos >= words)
			return 0;
		id = w[words - (unsigned)x->record_pos];
	}
	return swap ? __builtin_bswap64(id) : id;
}

const struct event *event_of_raw(const struct event_list *l, const struct perf_event_header *hdr,
				 u32 type, u16 size, bool swap)
{
	const struct event_index *x = &l->index;
	const struct event *e;
	u64 id;

	if (x->single)
		return x->single;
	if (!l->events.n || type >= WIRE_HEADER_ATTR)
		return NULL;
	id = record_id(x, hdr, type, size, swap);
	if (!id)
		return l->events.v[0];
	e = x->dense ? id - x->min_id < x->n_dense ? x->dense[id - x->min_id] : NULL :
		event_list_by_id(l, id);
	/* the kernel may leave words that nobody wrote behind the identity (wire_decode_id()) */
	return e || (type != PERF_RECORD_KSYMBOL && type != PERF_RECORD_BPF_EVENT) ? e :
		l->events.v[0];
}

const struct event *event_of_record(const struct event_list *l,
				    const struct perf_event_header *hdr)
{
	return event_of_raw(l, hdr, hdr->type, hdr->size, false);
}

struct event_lookup event_get_lookup(const struct event_list *l)
{
	const struct event_index *x = &l->index;

	if (x->single || !x->dense || x->sample_pos < 0)
		return (struct event_lookup){ 0 };
	return (struct event_lookup){ x->dense, x->min_id, x->n_dense, (unsigned)x->sample_pos };
}
