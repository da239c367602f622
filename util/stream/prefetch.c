// SPDX-License-Identifier: GPL-2.0-or-later
// Which files the samples lie in, before they are resolved: where files come over the net they
// are asked for all at once.
#include <stdlib.h>

#include "util/stream/stream-priv.h"

enum { READ_BATCH = 1024 };
/* after so many without a new file the rest is not looked at: rare ones are asked for when met */
#define QUIET_SAMPLES 50000

struct hits {
	struct stream *s;
	bool *seen;		/* by index of the dso */
	size_t n;
	u64 quiet, last_ns;
};

static void mark(struct hits *h, const struct mapping *map)
{
	if (!map || (size_t)map->dso->index >= h->n || h->seen[map->dso->index])
		return;
	h->seen[map->dso->index] = true;
	h->quiet = 0;
}

static void mark_va(struct hits *h, const struct space *user, u64 va, u64 t_ns)
{
	struct machine *m = h->s->m;

	if (va >= (u64)PERF_CONTEXT_MAX)
		return;
	if (!machine_is_kernel_va(m, va))
		mark(h, user ? space_find(user, va, t_ns) : NULL);
	else
		mark(h, space_find(machine_kernel_space(m), va, t_ns));
}

static void mark_sample(struct hits *h, const struct perf_event_header *hdr)
{
	const struct event *ev = stream_sample_event(h->s, hdr);
	struct sample s = { 0 };
	const struct space *user;
	const char *reason;

	h->last_ns = stream_record_time(h->s, hdr, h->last_ns);
	h->quiet++;
	if (!ev || ev->given || wire_decode_sample(&ev->attr, hdr, &s, &reason) ||
	    !(s.present & PERF_SAMPLE_TID))
		return;
	s.time_ns = h->last_ns;
	user = thread_space_at(machine_thread_at(h->s->m, s.pid, s.tid, s.time_ns), s.time_ns);
	if (s.present & PERF_SAMPLE_IP)
		mark_va(h, user, s.ip, s.time_ns);
	for (u64 i = 0; i < s.chain_n; i++)
		mark_va(h, user, s.chain[i], s.time_ns);
	for (u64 i = 0; i < s.branch.n; i++)
		mark_va(h, user, s.branch.entries[i].from, s.time_ns);
}

int stream_prefetch(struct stream *s, struct err *err)
{
	const char *urls = s->opts.symbols.debuginfod_urls;
	struct hits h = { .s = s, .n = dso_count(s->dsos) };
	struct data_record *recs;
	struct data_cursor c;
	int n = 0;

	if (!urls || !urls[0] || !(s->wants &
				   (SINK_SYMBOLS | SINK_CHAIN | SINK_BRANCH | SINK_ADDR)))
		return 0;
	h.seen = xcalloc(h.n, sizeof(*h.seen));
	recs = xcalloc(READ_BATCH, sizeof(*recs));
	data_cursor_init(&c, s->r);
	while (h.quiet < QUIET_SAMPLES && (n = data_cursor_batch(&c, recs, READ_BATCH, err)) > 0)
		for (int i = 0; i < n; i++)
			if (recs[i].hdr->type == PERF_RECORD_SAMPLE)
				mark_sample(&h, recs[i].hdr);
	data_cursor_release(&c);
	free(recs);
	if (n >= 0)
		dso_store_prefetch(s->dsos, h.seen, h.n, s->wants & SINK_INLINE);
	free(h.seen);
	return MIN(n, 0);
}
