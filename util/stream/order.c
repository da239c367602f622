// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records in time order. Rings are monotonic, so what comes is a few ascending runs: natural merge sort.
 */
#include "util/stream/stream-priv.h"

enum { SEG_BYTES = 1 << 20 };

struct order_seg {
	size_t used, cap;
	size_t n_left;		/* records in it that are still held */
	struct order_seg *next;	/* of the spare ones */
	char buf[];
};

void order_init(struct order *o)
{
	memset(o, 0, sizeof(*o));
}

static void seg_put(struct order *o, struct order_seg *seg)
{
	if (--seg->n_left)
		return;
	o->bytes -= seg->used;
	if (seg != o->seg) {
		seg->next = o->spare;
		o->spare = seg;
	}
	seg->used = 0;
}

void order_release(struct order *o)
{
	struct order_seg *seg;

	for vec_each(r, &o->recs)
		seg_put(o, r->seg);
	free(o->seg);
	while ((seg = o->spare) != NULL) {
		o->spare = seg->next;
		free(seg);
	}
	vec_free(&o->recs);
	free(o->tmp);
	order_init(o);
}

static struct order_seg *seg_for(struct order *o, size_t bytes)
{
	struct order_seg *seg = o->seg;

	if (seg && seg->cap - seg->used >= bytes)
		return seg;
	if (seg && !seg->n_left)
		free(seg);
	seg = o->spare;
	if (seg)
		o->spare = seg->next;
	else
		seg = xmalloc(sizeof(*seg) + SEG_BYTES);
	seg->used = seg->n_left = 0;
	seg->cap = SEG_BYTES;
	o->seg = seg;
	return seg;
}

void order_add(struct order *o, const struct data_record *rec, u64 time_ns)
{
	size_t bytes = ALIGN_UP((size_t)rec->hdr->size, (size_t)8);
	struct order_seg *seg = seg_for(o, bytes);
	char *at = seg->buf + seg->used;

	memcpy(at, rec->hdr, rec->hdr->size);
	seg->used += bytes;
	seg->n_left++;
	if (time_ns < o->flushed_ns)
		o->n_late++;
	o->bytes += bytes;
	vec_push(&o->recs, ((struct raw_rec){ time_ns, rec->pos, rec->off, (void *)at, seg }));
}

static bool before(const struct raw_rec *a, const struct raw_rec *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->pos < b->pos;
}

static size_t run_end(const struct raw_rec *v, size_t n, size_t from)
{
	size_t i = from + 1;

	while (i < n && !before(&v[i], &v[i - 1]))
		i++;
	return i < n ? i : n;
}

static void merge_runs(struct raw_rec *out, const struct raw_rec *a, size_t na, const struct raw_rec *b, size_t nb)
{
	while (na && nb) {
		if (before(b, a)) {
			*out++ = *b++;
			nb--;
		} else {
			*out++ = *a++;
			na--;
		}
	}
	memcpy(out, a, na * sizeof(*a));
	memcpy(out + na, b, nb * sizeof(*b));
}

/* One pass: neighbouring runs merged from v to out; the number of runs left. */
static size_t merge_pass(struct raw_rec *out, const struct raw_rec *v, size_t n)
{
	size_t at = 0, runs = 0;

	while (at < n) {
		size_t mid = run_end(v, n, at), end = mid < n ? run_end(v, n, mid) : n;

		merge_runs(out + at, v + at, mid - at, v + mid, end - mid);
		at = end;
		runs++;
	}
	return runs;
}

static void sort_held(struct order *o)
{
	size_t n = o->recs.n;

	if (run_end(o->recs.v, n, 0) >= n)
		return;
	if (o->tmp_cap < o->recs.cap) {
		free(o->tmp);
		o->tmp_cap = o->recs.cap;
		o->tmp = xcalloc(o->tmp_cap, sizeof(*o->tmp));
	}
	for (;;) {
		size_t runs = merge_pass(o->tmp, o->recs.v, n), cap = o->recs.cap;
		struct raw_rec *v = o->recs.v;

		o->recs.v = o->tmp;
		o->recs.cap = o->tmp_cap;
		o->tmp = v;
		o->tmp_cap = cap;
		if (runs <= 1)
			break;
	}
}

size_t order_ready(struct order *o, u64 bound_ns)
{
	size_t lo = 0, hi = o->recs.n;

	if (hi)
		sort_held(o);
	if (bound_ns == UINT64_MAX)
		return hi;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (o->recs.v[mid].time_ns < bound_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void order_drop(struct order *o, size_t n)
{
	if (!n)
		return;
	o->flushed_ns = MAX(o->flushed_ns, o->recs.v[n - 1].time_ns);
	for (size_t i = 0; i < n; i++)
		seg_put(o, o->recs.v[i].seg);
	memmove(o->recs.v, o->recs.v + n, (o->recs.n - n) * sizeof(*o->recs.v));
	o->recs.n -= n;
}
