/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_DEFERRED_H
#define STREAM_DEFERRED_H
/*
 * User parts of call chains that come later, in records of their own (of Linux 6.19,
 * PERF_RECORD_CALLCHAIN_DEFERRED): samples in the kernel end in a cookie, and the record with it,
 * of the same thread, has the rest for all of them. Filled by one thread while records are read,
 * before samples that need it are resolved; then any thread may look. Zeroed memory is empty.
 */
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/wire/wire.h"

struct deferred_chain {
	const struct deferred_chain *next;	/* of the same hash */
	u64 cookie;
	u32 tid;
	u64 n;
	const u64 *words;		/* as in a sample, context marks among them */
};

struct deferred_chains { struct hmap by_cookie; struct arena arena; };

void deferred_chains_release(struct deferred_chains *d);
/* A record that is too short is left out; attr: of its event. */
void deferred_chains_add(struct deferred_chains *d, const struct perf_event_attr *attr,
			 const struct perf_event_header *rec);
/* NULL: there is none. */
const struct deferred_chain *deferred_chains_find(const struct deferred_chains *d, u64 cookie,
						  u32 tid);

#endif
