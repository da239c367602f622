/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_INDEX_H
#define EVENT_INDEX_H
/*
 * Which event a record belongs to, by the id in it: of a file, of a pipe, or in a ring. The index
 * is part of a list of events; event_list_index() makes it, and again after the list or its ids
 * changed. Reading it is for any thread.
 */
#include "util/base/hash.h"
#include "util/wire/wire.h"

struct event;
struct event_list;

struct event_index {
	struct hmap ids;		/* kernel id -> struct event * */
	const struct event *single;	/* the only event */
	/* of the id, as wire_*_id_pos(), for all events; -1: none */
	int sample_pos, record_pos;
	const struct event **dense;	/* of ids from min_id on, if they are near each other */
	u64 min_id, n_dense;
};

void event_list_index(struct event_list *l);
/* Of one more event: the others are not looked at again. */
void event_list_index_add(struct event_list *l, struct event *e);
void event_index_release(struct event_index *x);
const struct event *event_list_by_id(const struct event_list *l, u64 id);

/* The event of a record in host order: by its id; the only event when there is one; the first event
 * for a record without any id (as upstream perf does). NULL: an id of no event. Fast. */
const struct event *event_of_record(const struct event_list *l,
				    const struct perf_event_header *hdr);
/* The same where the record may still have the other byte order; type and size are in host
 * order. */
const struct event *event_of_raw(const struct event_list *l, const struct perf_event_header *hdr,
				 u32 type, u16 size, bool swap);

/* The same for samples, for loops in which a call for each is too much: valid while no more events
 * come. */
struct event_lookup {
	const struct event *const *by_id;
	u64 min_id, n_ids;		/* n_ids 0: not usable, this list needs the call */
	unsigned word;			/* of the id, after the header */
};
struct event_lookup event_get_lookup(const struct event_list *l);
/* NULL: use event_of_record(), which knows more, or says that there is none. */
static inline const struct event *event_lookup_sample(const struct event_lookup *l,
						      const struct perf_event_header *hdr)
{
	const u64 *w = (const u64 *)(const void *)(hdr + 1);

	if (hdr->size < sizeof(*hdr) + 8 * (l->word + 1) || w[l->word] - l->min_id >= l->n_ids)
		return NULL;
	return l->by_id[w[l->word] - l->min_id];
}

#endif
