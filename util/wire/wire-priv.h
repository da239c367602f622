/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_PRIV_H
#define WIRE_PRIV_H
/*
 * The word cursor of this room: records are 8-byte aligned and made of 64-bit words, and samples
 * are decoded by the million, so the bounds check must inline. Same rules as struct rd: a read
 * beyond the end gives 0 and sticks.
 */
#include <errno.h>

#include "include/abi/perf_event.h"
#include "util/wire/wire.h"

struct words {
	u64 *p, *end;
	bool failed;
};

static inline struct words words_of(const struct perf_event_header *rec)
{
	u64 *w = (u64 *)(uintptr_t)rec;
	bool ok = rec->size >= sizeof(*rec);

	return (struct words){ w + 1, ok ? w + rec->size / 8 : w + 1, !ok };
}

static inline u64 *words_take(struct words *w, u64 n)
{
	u64 *p = w->p;

	if (w->failed || n > (u64)(w->end - w->p)) {
		w->failed = true;
		return NULL;
	}
	w->p += n;
	return p;
}

static inline u64 words_u64(struct words *w)
{
	if (w->failed || w->p >= w->end) {
		w->failed = true;
		return 0;
	}
	return *w->p++;
}

static inline void words_u32x2(struct words *w, u32 *a, u32 *b)
{
	u64 *p = words_take(w, 1);

	*a = p ? ((const u32 *)p)[0] : 0;
	*b = p ? ((const u32 *)p)[1] : 0;
}

static inline u64 words_left(const struct words *w) { return w->failed ? 0 : (u64)(w->end - w->p); }

static inline int wire_bad(const char **reason, const char *text)
{
	if (reason)
		*reason = text;
	return -EINVAL;
}

enum { WIRE_CPU_LIST = 0, WIRE_CPU_MASK = 1, WIRE_CPU_RANGE = 2 };

/* Words of the trailing identity of non-sample records. */
static inline unsigned wire_id_words(const struct perf_event_attr *attr)
{
	const u64 bits = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
		PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			 PERF_SAMPLE_IDENTIFIER;

	return attr && attr->sample_id_all ?
		(unsigned)__builtin_popcountll(attr->sample_type & bits) : 0;
}

#endif
