// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records in time order. Rings are monotonic and come one after the other, so what comes is a few
 * ascending runs: they are merged as they are handed out.
 *
 * Invariants
 *  1. Times in a run never go down, and only the newest run grows: of two records of the same time
 *     the one in the older run came first.
 *  2. heap[] holds each run that has records, once, the one that goes on first at its top; between
 *     two calls of order_take() the newest run may be missing (in_heap tells).
 *  3. Records that stay where they are are not copied (stays tells by the address); they count with
 *     what of them is looked at.
 *  4. A segment lives while a record in it was not given back by order_done(); segments begin at
 *     multiples of their size, so a record's address tells which it is.
 */
#include "util/stream/stream-priv.h"

#include <stdlib.h>

enum { SEG_BYTES = 1 << 20, MIN_COMPACT = 4096 };

struct order_seg {
	size_t used;
	size_t n_left;		/* records in it that are still held */
	struct order_seg *next;	/* of the spare ones */
	char buf[];
};

struct order_run {
	raw_recs recs;
	size_t head;		/* the first that was not handed out */
	u64 last_ns, seq;
	bool in_heap;
	struct order_run *next;	/* of the spare ones */
};

void order_init(struct order *o)
{
	memset(o, 0, sizeof(*o));
}

static struct order_seg *seg_of(const struct raw_rec *rec)
{
	return (struct order_seg *)((uintptr_t)rec->hdr & ~(uintptr_t)(SEG_BYTES - 1));
}

/* What a record costs that stays where it is. */
static u64 held_bytes(const struct perf_event_header *hdr)
{
	return hdr->size / 4;
}

static inline bool stays(const struct order *o, const struct perf_event_header *hdr)
{
	return (uintptr_t)hdr - o->stay_from < o->stay_bytes;
}

static void put(struct order *o, const struct raw_rec *rec)
{
	struct order_seg *seg = seg_of(rec);

	if (stays(o, rec->hdr)) {
		o->bytes -= held_bytes(rec->hdr);
		return;
	}
	if (--seg->n_left)
		return;
	o->bytes -= seg->used;
	if (seg != o->seg) {
		seg->next = o->spare;
		o->spare = seg;
	}
	seg->used = 0;
}

static void run_free(struct order_run *run)
{
	if (!run)
		return;
	vec_free(&run->recs);
	free(run);
}

void order_release(struct order *o)
{
	struct order_seg *seg;
	struct order_run *run;

	for vec_each(e, &o->heap) {
		for (size_t i = e->run->head; i < e->run->recs.n; i++)
			put(o, &e->run->recs.v[i]);
		if (e->run != o->last)
			run_free(e->run);
	}
	if (o->last && !o->last->in_heap)
		for (size_t i = o->last->head; i < o->last->recs.n; i++)
			put(o, &o->last->recs.v[i]);
	run_free(o->last);
	while ((run = o->spare_runs) != NULL) {
		o->spare_runs = run->next;
		run_free(run);
	}
	free(o->seg);
	while ((seg = o->spare) != NULL) {
		o->spare = seg->next;
		free(seg);
	}
	vec_free(&o->heap);
	order_init(o);
}

static struct order_seg *seg_for(struct order *o, size_t bytes)
{
	struct order_seg *seg = o->seg;

	if (seg && SEG_BYTES - sizeof(*seg) - seg->used >= bytes)
		return seg;
	if (seg && !seg->n_left)
		free(seg);
	seg = o->spare;
	if (seg)
		o->spare = seg->next;
	else
		seg = xaligned(SEG_BYTES, SEG_BYTES);
	seg->used = seg->n_left = 0;
	o->seg = seg;
	return seg;
}

/* ---- the heap of runs ---- */

static bool goes_before(const struct order_head *a, const struct order_head *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->run->seq < b->run->seq;
}

/* heap[at] may belong further down. */
static void sift_down(struct order *o, size_t at)
{
	const size_t n = o->heap.n;
	struct order_head *h = o->heap.v, e = h[at];

	for (size_t kid; (kid = 2 * at + 1) < n; at = kid) {
		kid += kid + 1 < n && goes_before(&h[kid + 1], &h[kid]);
		if (!goes_before(&h[kid], &e))
			break;
		h[at] = h[kid];
	}
	h[at] = e;
}

static void heap_push(struct order *o, struct order_run *run)
{
	struct order_head e = { run->recs.v[run->head].time_ns, run };
	struct order_head *h;
	size_t at = o->heap.n;

	vec_push(&o->heap, e);
	run->in_heap = true;
	for (h = o->heap.v; at && goes_before(&e, &h[(at - 1) / 2]); at = (at - 1) / 2)
		h[at] = h[(at - 1) / 2];
	h[at] = e;
}

/* The newest run may have grown again after it was used up. */
static void join_last(struct order *o)
{
	if (o->last && !o->last->in_heap && o->last->head < o->last->recs.n)
		heap_push(o, o->last);
}

static struct order_run *new_run(struct order *o)
{
	struct order_run *run = o->spare_runs;

	join_last(o);
	if (o->last && !o->last->in_heap) {	/* used up: it can be the new one */
		run = o->last;
	} else if (run) {
		o->spare_runs = run->next;
	} else {
		run = xnew(struct order_run);
	}
	run->recs.n = run->head = 0;
	run->in_heap = false;
	run->seq = o->n_runs++;
	return o->last = run;
}

/* All of the top run was handed out. */
static void drop_top(struct order *o)
{
	struct order_run *run = o->heap.v[0].run;

	run->in_heap = false;
	run->recs.n = run->head = 0;
	if (run != o->last) {
		run->next = o->spare_runs;
		o->spare_runs = run;
	}
	o->heap.v[0] = o->heap.v[--o->heap.n];
	if (o->heap.n)
		sift_down(o, 0);
}

/* ---- in and out ---- */

static const struct perf_event_header *keep(struct order *o, const struct perf_event_header *hdr,
					    bool may_stay)
{
	size_t bytes = ALIGN_UP((size_t)hdr->size, (size_t)8);
	struct order_seg *seg;
	char *at;

	if (may_stay && stays(o, hdr)) {
		o->bytes += held_bytes(hdr);
		return hdr;
	}
	seg = seg_for(o, bytes);
	at = seg->buf + seg->used;
	memcpy(at, hdr, hdr->size);
	seg->used += bytes;
	seg->n_left++;
	o->bytes += bytes;
	return (const void *)at;
}

void order_add(struct order *o, const struct perf_event_header *hdr, u64 off, bool may_stay,
	       u64 time_ns, const struct event *ev)
{
	struct order_run *run = o->last;

	if (time_ns < o->flushed_ns)
		o->n_late++;
	o->n_held++;
	if (!run || time_ns < run->last_ns)
		run = new_run(o);
	run->last_ns = time_ns;
	vec_push(&run->recs, ((struct raw_rec){ time_ns, off, keep(o, hdr, may_stay), ev }));
}

/* A run that is handed out as it grows does not keep what it had. */
static void compact(struct order_run *run)
{
	if (run->head < MIN_COMPACT || run->head < run->recs.n / 2)
		return;
	run->recs.n -= run->head;
	memmove(run->recs.v, run->recs.v + run->head, run->recs.n * sizeof(*run->recs.v));
	run->head = 0;
}

/* The top run's records up to where another is older, or the bound is met: 1 to max of them. */
static size_t take_top(const struct order *o, u64 bound_ns, struct raw_rec *out, size_t max)
{
	const struct order_head *h = o->heap.v, *next = o->heap.n > 1 ? &h[1] : NULL;
	const struct order_run *run = h[0].run;
	const struct raw_rec *v = run->recs.v + run->head;
	size_t n = 1, left = MIN(run->recs.n - run->head, max);
	u64 until = bound_ns;		/* times below go; from there on another run is next */

	if (o->heap.n > 2 && goes_before(&h[2], &h[1]))
		next = &h[2];
	if (next && next->time_ns < bound_ns)
		until = next->time_ns + (run->seq < next->run->seq);
	out[0] = v[0];
	for (; n < left && v[n].time_ns < until; n++)
		out[n] = v[n];
	return n;
}

size_t order_take(struct order *o, u64 bound_ns, struct raw_rec *out, size_t max)
{
	size_t n = 0;

	join_last(o);
	while (n < max && o->heap.n && (o->heap.v[0].time_ns < bound_ns || bound_ns ==
					UINT64_MAX)) {
		struct order_run *run = o->heap.v[0].run;
		size_t go = take_top(o, bound_ns, out + n, max - n);

		n += go;
		run->head += go;
		if (run->head == run->recs.n) {
			drop_top(o);
			continue;
		}
		o->heap.v[0].time_ns = run->recs.v[run->head].time_ns;
		sift_down(o, 0);
		compact(run);
	}
	o->n_held -= n;
	if (n)
		o->flushed_ns = MAX(o->flushed_ns, out[n - 1].time_ns);
	return n;
}

u64 order_first_off(struct order *o)
{
	u64 off = UINT64_MAX;

	join_last(o);
	/* in a run records stand as they stood in the file */
	for vec_each(e, &o->heap)
		off = MIN(off, e->run->recs.v[e->run->head].off);
	return off;
}

void order_done(struct order *o, const struct raw_rec *recs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(o, &recs[i]);
}
