// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decoding of records, in batches, which are resolved (resolve.c) and handed on. One worker per
 * thread: its caches and buffers are its own, the machine is frozen (or the worker is alone), so
 * nothing here takes a lock but the first load of a dso.
 */
#include "util/stream/stream-priv.h"

#include <errno.h>
#include <string.h>

#include "util/wire/offcpurec.h"
#include "util/wire/synthrec.h"

enum { PREFETCH = 8 };	/* records */

void worker_init(struct worker *w, struct stream *s, unsigned wants)
{
	memset(w, 0, sizeof(*w));
	w->s = s;
	w->samples = xcalloc(BATCH, sizeof(*w->samples));
	w->decoded = xmalloc(BATCH * sizeof(*w->decoded));
	memset(w->decoded, 0xff, BATCH * sizeof(*w->decoded));
	w->res = xcalloc(BATCH, sizeof(*w->res));
	w->items = xcalloc(BATCH, sizeof(*w->items));
	w->flat.type = ~0ULL;
	w->st.first_ns = UINT64_MAX;
	w->bad_off = UINT64_MAX;
	if (s->filter.where)
		w->memo = where_memo_new();
	worker_want(w, wants);
}

void worker_want(struct worker *w, unsigned wants)
{
	w->wants = wants;
	if (!w->cache_mem && wants & (SINK_SYMBOLS | SINK_CHAIN | SINK_ADDR | SINK_BRANCH)) {
		w->cache_mem = xtable(LOC_CACHE + LEAF_CACHE + 1, sizeof(*w->cache));
		w->cache = (void *)ALIGN_UP((uintptr_t)w->cache_mem, sizeof(*w->cache));
		w->leaves = w->cache + LOC_CACHE;
	}
}

/* Places are kept by the numbers of their spaces, which never come again. */
void worker_forget_machine(struct worker *w)
{
	memset(w->threads, 0, sizeof(w->threads));
}

void worker_release(struct worker *w)
{
	vec_free(&w->locs);
	vec_free(&w->ends);
	free(w->cache_mem);
	free(w->samples);
	free(w->decoded);
	free(w->res);
	free(w->items);
	free(w->unwound);
	free(w->jobs);
	free(w->waiting);
	unwind_free(w->unwind);
	where_memo_free(w->memo);
	free(w->st.first_bad);
}

/* ---- statistics ---- */

void worker_forget_stats(struct worker *w)
{
	free(w->st.first_bad);
	memset(&w->st, 0, sizeof(w->st));
	w->st.first_ns = UINT64_MAX;
	w->bad_off = UINT64_MAX;
}

void worker_add_stats(struct stream_stats *to, u64 *to_bad_off, struct worker *w)
{
	const struct stream_stats *f = &w->st;

	to->n_records += f->n_records;
	to->n_samples += f->n_samples;
	to->n_lost += f->n_lost;
	to->n_lost_records += f->n_lost_records;
	to->n_lost_samples += f->n_lost_samples;
	to->n_undecodable += f->n_undecodable;
	to->n_unknown_id += f->n_unknown_id;
	to->n_unknown_type += f->n_unknown_type;
	to->n_filtered += f->n_filtered;
	to->n_throttled += f->n_throttled;
	to->n_no_map += f->n_no_map;
	to->n_switches += f->n_switches;
	to->first_ns = MIN(to->first_ns, f->first_ns);
	to->last_ns = MAX(to->last_ns, f->last_ns);
	for (size_t i = 0; i < ARRAY_SIZE(to->by_type); i++)
		to->by_type[i] += f->by_type[i];
	for (size_t i = 0; i < ARRAY_SIZE(to->unwind_ended); i++)
		to->unwind_ended[i] += f->unwind_ended[i];
	to->n_user_chains += f->n_user_chains;
	to->n_broken_chains += f->n_broken_chains;
	to->n_unsure_chains += f->n_unsure_chains;
	for (size_t i = 0; i < ARRAY_SIZE(f->broken_at); i++)
		if (f->broken_at[i].n)
			stream_add_broken(to, f->broken_at[i].dso, f->broken_at[i].n);
	if (f->first_bad && w->bad_off < *to_bad_off) {
		free(to->first_bad);
		to->first_bad = w->st.first_bad;
		*to_bad_off = w->bad_off;
		w->st.first_bad = NULL;
	}
	worker_forget_stats(w);
}

void worker_count(struct worker *w, const struct raw_rec *rec)
{
	stream_count_record(&w->st, &w->bad_off, rec);
}


/* Of a group's counts samples are made after the other filters were asked. */
static bool filters_late(const struct worker *w)
{
	return w->memo && (w->s->reads || where_has_stage(w->s->filter.where, WHERE_CHAIN));
}

static bool passes_late(struct worker *w, const struct sink_item *i)
{
	const struct filter *f = &w->s->filter;

	if (w->s->reads && (!filter_where(f, WHERE_SAMPLE, i, w->memo) ||
			    !filter_where(f, WHERE_LEAF, i, w->memo)))
		return false;
	return filter_where(f, WHERE_CHAIN, i, w->memo);
}

static size_t filter_late(struct worker *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		if (passes_late(w, &w->items[i]))
			w->items[n++] = w->items[i];
	w->st.n_filtered += w->n - n;
	return n;
}

static void deliver(struct worker *w, struct sink *const *sinks, size_t n_sinks)
{
	size_t n;

	resolve_waiting(w);
	for (size_t i = 0; w->cache && i < w->n; i++) {
		w->res[i].frames = resolve_placed(w, w->res[i].frames);
		w->res[i].branches = resolve_placed(w, w->res[i].branches);
		if (w->res[i].n_ends)
			w->res[i].ends = w->ends.v + (uintptr_t)w->res[i].ends;
	}
	n = filters_late(w) ? filter_late(w) : w->n;
	for (size_t i = 0; n && i < n_sinks; i++) {
		if (sinks[i]->samples && !sinks[i]->stop)
			sinks[i]->samples(sinks[i], w->items, n);
	}
	w->n = 0;
	vec_clear(&w->locs);
	vec_clear(&w->ends);
}

static inline unsigned flat_words(struct worker *w, u64 type)
{
	if (type != w->flat.type) {
		w->flat.type = type;
		w->flat.words = wire_flat_words(type);
	}
	return w->flat.words;
}

/* The sample of slot k is to be a flat one: most of the work for it would be to zero what it
 * does not have. */
static inline void begin_flat(struct worker *w, size_t k, u64 type)
{
	if (w->decoded[k] == type)
		return;
	memset(&w->samples[k], 0, sizeof(w->samples[k]));
	w->decoded[k] = type;
}

static inline int decode_words(struct worker *w, const struct perf_event_attr *attr,
			       const struct raw_rec *rec, struct sample *s,
			const char **reason)
{
	const size_t k = (size_t)(s - w->samples);
	const u64 type = attr->sample_type;

	if (!flat_words(w, type)) {
		w->decoded[k] = ~0ULL;
		return wire_decode_sample(attr, rec->hdr, s, reason);
	}
	begin_flat(w, k, type);
	return wire_decode_flat(type, w->flat.words, rec->hdr, s, reason);
}

static const struct wire_synth *take_synth(struct sample *s)
{
	const struct wire_synth *t = wire_take_synth(s);

	s->misc = 0;		/* no kernel wrote it */
	if (s->event->attr.type != WIRE_TYPE_SYNTH) {	/* there is nothing else in it */
		s->raw.len = 0;
		s->present &= ~(u64)PERF_SAMPLE_RAW;
	}
	return t;
}

static int decode_given(struct worker *w, const struct event *ev, const struct raw_rec *rec,
			struct sample *s, const char **reason)
{
	struct perf_event_attr recorded = ev->attr;
	int ret;

	recorded.sample_type &= ~ev->given;
	w->decoded[s - w->samples] = ~0ULL;
	ret = wire_decode_sample(&recorded, rec->hdr, s, reason);
	if (!ret)
		given_stacks_fill(w->s->src.given, s, ev->given);
	return ret;
}

static inline bool decode(struct worker *w, const struct raw_rec *rec, struct sample *s)
{
	const struct event *ev = rec->ev ? rec->ev : stream_sample_event(w->s, rec->hdr);
	const char *reason = NULL;

	w->st.n_records++;
	w->st.by_type[PERF_RECORD_SAMPLE]++;
	if (!ev) {
		w->st.n_unknown_id++;
		return false;
	}
	if (ev->given ? decode_given(w, ev, rec, s, &reason) < 0 :
	    decode_words(w, &ev->attr, rec, s, &reason) < 0) {
		stream_note_bad(&w->st, &w->bad_off, rec, reason);
		return false;
	}
	s->event = ev;
	s->synth = ev->decoded ? take_synth(s) : NULL;
	if (!(s->present & PERF_SAMPLE_TID))
		s->pid = s->tid = (u32)-1;
	if (!(s->present & PERF_SAMPLE_TIME))
		s->time_ns = rec->time_ns;
	else if (s->time_ns < OFFCPU_SUMS_NS)
		w->st.last_ns = MAX(w->st.last_ns, s->time_ns),
		w->st.first_ns = MIN(w->st.first_ns, s->time_ns);
	w->st.n_samples++;
	return true;
}

/* Whether slot n is to be shown. */
static inline bool pass_filters(struct worker *w, const struct raw_rec *rec)
{
	struct stream *st = w->s;
	struct sample *s = &w->samples[w->n];
	struct resolved *r = &w->res[w->n];
	struct sink_item *item = &w->items[w->n];
	const bool where = w->memo && !st->reads;
	struct where at;

	*item = (struct sink_item){ s, r, rec->off, rec->hdr };
	if (st->filter.any && (!filter_sample(&st->filter, s) ||
			       (where && !filter_where(&st->filter, WHERE_SAMPLE, item,
						       w->memo)))) {
		w->st.n_filtered++;
		return false;
	}
	if (w->wants & SINK_THREAD)	/* otherwise nothing was ever written to r */
		resolve_who(w, s, r, &at);
	if (st->filter.any && (!filter_resolved(&st->filter, r) ||
			       (where && !filter_where(&st->filter, WHERE_LEAF, item,
						       w->memo)))) {
		w->st.n_filtered++;
		return false;
	}
	if (w->cache)
		resolve_rest(w, s, r, &at);
	return true;
}

/* The growth of counts in the sample of slot n, by event; what did not grow is left out. */
static size_t grown_counts(struct worker *w, const struct raw_rec *rec, struct wire_value *v,
			   const struct event **evs)
{
	const struct sample *s = &w->samples[w->n];
	const struct perf_event_attr *a = &s->event->attr;
	u64 n = 0, out = 0;

	if (wire_read_values(a->read_format, s->read, v, BATCH, &n, NULL, NULL) < 0) {
		stream_note_bad(&w->st, &w->bad_off, rec, "counts of a group that are cut off");
		return 0;
	}
	for (u64 i = 0; i < MIN(n, (u64)BATCH); i++) {
		u64 id = a->read_format & PERF_FORMAT_ID ? v[i].id : s->id;
		const struct event *ev = a->read_format & PERF_FORMAT_ID ?
					 event_list_by_id(w->s->src.events, id) : s->event;
		u64 grew;

		if (!ev) {
			w->st.n_unknown_id++;
			continue;
		}
		grew = read_counts_step(w->s->reads, id, a->inherit ? s->tid : 0, v[i].value);
		if (!grew)
			continue;
		v[out] = (struct wire_value){ .value = grew, .id = id };
		evs[out++] = ev;
	}
	return out;
}

/* The sample of slot n becomes one for each member of its group. */
static size_t take_counts(struct worker *w, const struct raw_rec *rec)
{
	struct wire_value v[BATCH];
	const struct event *evs[BATCH];
	size_t n = grown_counts(w, rec, v, evs), at = w->n;

	if (!n || !pass_filters(w, rec))
		return 0;
	resolve_waiting(w);
	for (size_t i = 0; i < n; i++) {
		struct sample *s = &w->samples[at + i];

		if (i) {
			*s = w->samples[at];
			w->decoded[at + i] = ~0ULL;
			w->res[at + i] = w->res[at];
			w->items[at + i] = (struct sink_item){ s, &w->res[at + i], rec->off,
							       rec->hdr };
		}
		s->event = evs[i];
		s->id = v[i].id;
		s->period = v[i].value;
		s->present |= PERF_SAMPLE_PERIOD;
	}
	return n;
}

static u64 max_counts(const struct sample *s)
{
	return MIN(s->read.len / sizeof(u64) + 1, (size_t)BATCH);
}

/* The samples of rec, after those that wait already. */
static inline void take_sample(struct worker *w, const struct raw_rec *rec,
			       struct sink *const *sinks, size_t n_sinks)
{
	struct sample *s = &w->samples[w->n];

	if (!decode(w, rec, s))
		return;
	if (!w->s->reads || !(s->present & PERF_SAMPLE_READ)) {
		w->n += pass_filters(w, rec);
		return;
	}
	if (w->n + max_counts(s) > BATCH) {
		struct sample copy = *s;

		deliver(w, sinks, n_sinks);
		w->samples[0] = copy;
		w->decoded[0] = ~0ULL;
	}
	w->n += take_counts(w, rec);
}

static void deliver_record(struct worker *w, const struct raw_rec *rec, struct sink *const *sinks,
			   size_t n_sinks)
{
	const struct event *ev = rec->ev;
	struct sample_id id = { 0 };
	const char *reason = NULL;

	if (!ev && rec->hdr->type < WIRE_HEADER_ATTR)
		ev = event_of_record(w->s->src.events, rec->hdr);
	if (ev && wire_decode_id(&ev->attr, rec->hdr, &id, &reason) < 0)
		memset(&id, 0, sizeof(id));
	deliver(w, sinks, n_sinks);
	for (size_t i = 0; i < n_sinks; i++) {
		if (sinks[i]->wants & SINK_SIDEBAND && sinks[i]->record && !sinks[i]->stop)
			sinks[i]->record(sinks[i], rec->hdr, &id, rec->off);
	}
}

/* Sorted records lie anywhere in the window. */
static inline void prefetch_record(const struct raw_rec *recs, size_t i, size_t n)
{
	if (i + PREFETCH >= n)
		return;
	__builtin_prefetch(recs[i + PREFETCH].hdr);
	__builtin_prefetch((const char *)recs[i + PREFETCH].hdr + 64);
}

/* The flat samples of one type that the records begin with, as many as there is room for; how
 * many. Only where all that is wanted of a sample is what is in it. */
static size_t take_flat(struct worker *w, const struct raw_rec *recs, size_t n)
{
	const u64 type = recs[0].ev ? recs[0].ev->attr.sample_type : 0;
	const unsigned words = flat_words(w, type);
	struct stream_stats *st = &w->st;
	const size_t from = w->n;
	u64 first_ns = st->first_ns, last_ns = st->last_ns;
	size_t i;

	if (!words || !(type & PERF_SAMPLE_TID) || !(type & PERF_SAMPLE_TIME))
		return 0;
	for (i = 0; i < n && from + i < BATCH; i++) {
		const struct raw_rec *rec = &recs[i];
		struct sample *s = &w->samples[from + i];
		const char *reason;

		prefetch_record(recs, i, n);
		if (rec->hdr->type != PERF_RECORD_SAMPLE || !rec->ev || rec->ev->attr.sample_type !=
		    type || rec->ev->decoded)
			break;
		begin_flat(w, from + i, type);
		if (wire_decode_flat(type, words, rec->hdr, s, &reason) < 0)
			break;
		s->event = rec->ev;
		s->synth = NULL;
		first_ns = MIN(first_ns, s->time_ns);
		last_ns = MAX(last_ns, s->time_ns);
		w->items[from + i] = (struct sink_item){ s, &w->res[from + i], rec->off, rec->hdr };
	}
	w->n = from + i;
	st->n_records += i;
	st->n_samples += i;
	st->by_type[PERF_RECORD_SAMPLE] += i;
	st->first_ns = first_ns;
	st->last_ns = last_ns;
	return i;
}

void worker_run(struct worker *w, const struct raw_rec *recs, size_t n, struct sink *const *sinks,
		size_t n_sinks)
{
	const bool bare = !(w->wants & SINK_THREAD) && !w->s->filter.any && !w->s->reads;

	for (size_t i = 0; i < n; i++) {
		const struct raw_rec *rec;

		if (bare) {
			i += take_flat(w, recs + i, n - i);
			if (w->n == BATCH)
				deliver(w, sinks, n_sinks);
			if (i == n)
				break;
		}
		rec = &recs[i];
		prefetch_record(recs, i, n);
		w->next = rec + 1;
		w->n_next = (int)MIN(n - 1 - i, (size_t)UNWIND_BATCH);
		if (rec->hdr->type == PERF_RECORD_SAMPLE) {
			take_sample(w, rec, sinks, n_sinks);
			if (w->n == BATCH || w->locs.n >= BATCH_LOCS)
				deliver(w, sinks, n_sinks);
			continue;
		}
		worker_count(w, rec);
		if (w->wants & SINK_SIDEBAND)
			deliver_record(w, rec, sinks, n_sinks);
	}
	deliver(w, sinks, n_sinks);
}
