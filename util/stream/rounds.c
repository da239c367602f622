// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One pass in order of rounds, for sinks that look at no threads: the file is read once. Samples
 * are walked over where they lie in the reader's buffer; of those that no sink takes nothing but
 * their id and time is looked at.
 */
#include "util/stream/stream-priv.h"

#include "util/wire/user.h"

enum { READ_BATCH = 256, NO_ROUNDS_BYTES = 64 << 20, FEW_BYTES = 2 << 20 };

struct rounds {
	struct stream *s;
	const struct sinks *sinks;
	struct order o;
	struct raw_rec *taken;
	struct round_times times;
	u64 last_ns;		/* of the last timed record */
	bool any;
};

bool rounds_are_enough(const struct stream *s, const struct sinks *sinks)
{
	for (size_t i = 0; i < sinks->n; i++) {
		if (!sinks->v[i]->takes)
			return false;
	}
	return !(s->wants & SINK_THREAD) && !s->filter.needs_bounds && !s->reads &&
		s->r->files.n == 1;
}

static void flush(struct rounds *r, u64 bound_ns)
{
	size_t n;

	while (!sinks_stopped(r->sinks) && (n = order_take(&r->o, bound_ns, r->taken, BATCH)) > 0) {
		worker_run(&r->s->workers[0], r->taken, n, r->sinks->v, r->sinks->n);
		order_done(&r->o, r->taken, n);
	}
}

/* Older than what the rounds promised, and than one more of them: it comes late, as with every
 * reader by rounds. */
static inline void add_sample(struct rounds *r, const struct perf_event_header *hdr, u64 off,
			      u64 t_ns, const struct event *ev)
{
	if (t_ns < r->o.flushed_ns)
		r->s->st.n_unordered++;
	order_add(&r->o, hdr, off, false, t_ns, ev);
}

/* The samples that come next in the buffer; how many. It stops at what is anything else, or not
 * as it should be. */
static u64 walk_samples(struct rounds *r, struct data_cursor *c)
{
	const struct stream *s = r->s;
	const struct event_lookup *l = &s->lookup;
	const bool *skip = s->skip.n ? s->skip.v : NULL;
	const unsigned words = MAX(l->word, (unsigned)s->time_pos) + 1;
	const struct perf_event_header *hdr;
	struct skipped_samples skipped = { .first_ns = UINT64_MAX };
	const struct event *ev;
	struct span left;
	u64 n = 0, off, t = r->last_ns, max_ns = r->times.max_ns;
	const u8 *from;

	if (s->time_pos < 0 || s->untimed || !l->n_ids)
		return 0;
	left = data_cursor_peek(c, &off);
	for (from = left.ptr; left.len >= sizeof(*hdr); n++) {
		hdr = (const void *)left.ptr;
		if (hdr->type != PERF_RECORD_SAMPLE || hdr->size & 7 || hdr->size > left.len ||
		    hdr->size < sizeof(*hdr) + words * sizeof(u64) ||
		    !(ev = event_lookup_sample(l, hdr)))
			break;
		t = ((const u64 *)(const void *)(hdr + 1))[s->time_pos];
		max_ns = MAX(max_ns, t);
		if (skip && skip[ev->index])
			skip_sample(&skipped, t);
		else
			add_sample(r, hdr, off + (u64)(left.ptr - from), t, ev);
		left.ptr += hdr->size;
		left.len -= hdr->size;
	}
	r->last_ns = t;
	r->times.max_ns = max_ns;
	worker_skip_samples(&r->s->workers[0], &skipped);
	data_cursor_skip(c, (size_t)(left.ptr - from), n);
	return n;
}

static void rounds_record(struct rounds *r, const struct data_record *rec)
{
	struct stream *s = r->s;
	const bool is_sample = rec->hdr->type == PERF_RECORD_SAMPLE;
	const struct event *ev = is_sample ? stream_sample_event(s, rec->hdr) : NULL;
	u64 t = stream_record_time(s, rec->hdr, r->last_ns);

	r->last_ns = t;
	r->times.max_ns = MAX(r->times.max_ns, t);
	if (stream_skips(s, ev, t))
		return;
	if (rec->hdr->type >= WIRE_HEADER_ATTR)
		t = round_user_time(&r->times, rec->hdr);
	if (is_sample)
		add_sample(r, rec->hdr, rec->off, t, ev);
	else if (s->wants & SINK_SIDEBAND)
		order_add(&r->o, rec->hdr, rec->off, false, t, NULL);
	else
		worker_count(&s->workers[0], &(struct raw_rec){ .off = rec->off, .hdr = rec->hdr });
	if (rec->hdr->type != WIRE_FINISHED_ROUND)
		return;
	r->any = true;
	/* A recorder that was too slow breaks what a round promises: so one more is waited for,
	 * and as many as take little memory. */
	if (r->o.bytes > FEW_BYTES)
		flush(r, r->times.older_ns);
}

static bool rounds_missing(const struct rounds *r)
{
	return !r->any && r->o.bytes > NO_ROUNDS_BYTES;
}

int run_rounds(struct stream *s, const struct sinks *sinks, struct err *err)
{
	struct data_record *recs = xcalloc(READ_BATCH, sizeof(*recs));
	struct rounds r = { .s = s, .sinks = sinks, .taken = xcalloc(BATCH, sizeof(*r.taken)) };
	struct data_cursor c;
	int n = 0;

	order_init(&r.o);
	data_cursor_init(&c, s->r);
	c.what = STREAM_PROGRESS;
	while (!sinks_stopped(sinks) && !rounds_missing(&r)) {
		const bool walked = walk_samples(&r, &c) > 0;

		n = data_cursor_batch(&c, recs, walked ? 1 : READ_BATCH, err);
		if (n <= 0)
			break;
		for (int i = 0; i < n; i++)
			rounds_record(&r, &recs[i]);
	}
	if (n > 0 && rounds_missing(&r)) {
		worker_forget_stats(&s->workers[0]);
		n = 1;
	} else {
		flush(&r, UINT64_MAX);
		n = MIN(n, 0);
	}
	stream_note_compressed(&s->st, &c);
	data_cursor_release(&c);
	order_release(&r.o);
	free(r.taken);
	free(recs);
	return n;
}
