// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/script-counts.h"

#include <stdlib.h>

#include "util/wire/user.h"

struct counted { u32 event; struct wire_stat now, before; };

struct script_counts {
	struct sink sink;		/* first */
	const struct event_list *events;
	void (*put)(void *ctx, const char *text, size_t n);
	void *ctx;
	int_vec tids;			/* of the thread map */
	VEC(struct counted) counts;
	struct hmap known;		/* event, cpu and thread -> number in counts + 1 */
	VEC(u32) round;			/* those of this round, as numbers in counts */
	bool titled;
};

static const struct event *event_of(const struct script_counts *c, u64 id)
{
	for (size_t i = 0; i < c->events->events.n; i++)
		for (size_t k = 0; k < c->events->events.v[i]->n_ids; k++)
			if (c->events->events.v[i]->ids[k] == id)
				return c->events->events.v[i];
	return NULL;
}

static void on_value(struct script_counts *c, const struct perf_event_header *h)
{
	const struct event *e;
	struct wire_stat s;
	const char *reason;
	uintptr_t at;
	u64 key;

	if (wire_decode_stat(h, &s, &reason) || !(e = event_of(c, s.id)) || s.thread >= c->tids.n)
		return;
	key = (u64)e->index << 48 ^ (u64)s.cpu << 24 ^ s.thread;
	at = (uintptr_t)hmap_get(&c->known, key);
	if (!at) {
		vec_push(&c->counts, ((struct counted){ .event = (u32)e->index }));
		at = c->counts.n;
		hmap_put(&c->known, key, (void *)at);
	}
	c->counts.v[at - 1].now = s;
	vec_push(&c->round, (u32)(at - 1));
}

static int cmp_counts(const void *pa, const void *pb, void *ctx)
{
	const struct counted *v = ctx, *a = &v[*(const u32 *)pa], *b = &v[*(const u32 *)pb];

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->now.thread != b->now.thread)
		return a->now.thread < b->now.thread ? -1 : 1;
	return (int)a->now.cpu < (int)b->now.cpu ? -1 : (int)a->now.cpu > (int)b->now.cpu;
}

/* What came since the round before. */
static void on_round(struct script_counts *c, const struct perf_event_header *h)
{
	struct str s = STR_INIT;
	const char *reason;
	u64 type, time_ns;

	if (wire_decode_stat_round(h, &type, &time_ns, &reason))
		return;
	if (!c->titled)
		str_addf(&s, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA",
			 "RUN", "TIME", "EVENT");
	c->titled = true;
	if (c->round.n)
		qsort_r(c->round.v, c->round.n, sizeof(*c->round.v), cmp_counts, c->counts.v);
	for vec_each(n, &c->round) {
		struct counted *k = &c->counts.v[*n];

		str_addf(&s, "%3d %8d %15llu %15llu %15llu %15llu ", (int)k->now.cpu,
			 c->tids.v[k->now.thread],
			 (unsigned long long)(k->now.value - k->before.value),
			 (unsigned long long)(k->now.enabled_ns - k->before.enabled_ns),
			 (unsigned long long)(k->now.running_ns - k->before.running_ns),
			 (unsigned long long)time_ns);
		str_add_safe(&s, c->events->events.v[k->event]->name);
		str_addch(&s, '\n');
		k->before = k->now;
	}
	vec_clear(&c->round);
	c->put(c->ctx, str_cstr(&s), s.len);
	str_release(&s);
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id UNUSED, u64 off UNUSED)
{
	struct script_counts *c = (struct script_counts *)sink;

	switch (rec->type) {
	case WIRE_THREAD_MAP: wire_thread_map_tids(rec, &c->tids); break;
	case WIRE_STAT: on_value(c, rec); break;
	case WIRE_STAT_ROUND: on_round(c, rec); break;
	}
}

static void on_samples(struct sink *sink UNUSED, const struct sink_item *items UNUSED,
		       size_t n UNUSED) { }

struct script_counts *script_counts_new(const struct event_list *events,
					void (*put)(void *ctx, const char *text, size_t n),
					void *ctx)
{
	struct script_counts *c = xnew(struct script_counts);

	c->sink = (struct sink){ .wants = SINK_SIDEBAND, .samples = on_samples,
				 .record = on_record };
	c->events = events;
	c->put = put;
	c->ctx = ctx;
	return c;
}

void script_counts_free(struct script_counts *c)
{
	if (!c)
		return;
	vec_free(&c->tids);
	vec_free(&c->counts);
	vec_free(&c->round);
	hmap_release(&c->known);
	free(c);
}

struct sink *script_counts_sink(struct script_counts *c)
{
	return &c->sink;
}
