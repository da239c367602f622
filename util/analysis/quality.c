// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/quality.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"
#include "util/event/per-event.h"
#include "util/stream/frame.h"
#include "util/stream/stack-ends.h"
#include "util/wire/wire.h"

/* Intervals between samples by their size, 16 classes for each power of two. */
#define N_CLASSES 976
#define NO_CPU UINT32_MAX

struct end_count { u8 reason; bool copied; struct dso *dso; u64 n; };
struct unknown_count { struct dso *dso; u64 samples, callers; };
struct cpu_count { u32 cpu; u64 samples, lost, throttled; };
struct track { const struct event *event; u64 key, first_ns, last_ns; };
struct class { u64 n, sum_ns; };
struct event_count_times { u64 id, enabled_ns, running_ns; const struct event *event; };
struct event_quality { u64 n; struct class *classes; };

struct quality {
	struct sink sink;
	VEC(struct end_count) ends;
	VEC(struct unknown_count) unknown;
	VEC(struct cpu_count) cpus;
	VEC(struct track) tracks;
	VEC(struct event_count_times) times;
	struct hmap by_dso, by_cpu, by_track, by_id;	/* index in those, plus 1 */
	struct per_event events;			/* struct event_quality */
	u64 n_samples, n_own, n_recorded;
};

/* The element with that key in a vector, and whether it was there: hmap_get() of index + 1. */
#define find_or_add(vec, map, key, is_new) ({ \
	size_t at_ = (size_t)(uintptr_t)hmap_get((map), (key)); \
	*(is_new) = !at_; \
	if (!at_) { \
		vec_add(vec); \
		at_ = (vec)->n; \
		hmap_put((map), (key), (void *)(uintptr_t)at_); \
	} \
	&(vec)->v[at_ - 1]; })

static unsigned class_of(u64 ns)
{
	unsigned high = ns < 16 ? 3 : 63 - (unsigned)__builtin_clzll(ns);

	return ns < 16 ? (unsigned)ns : (high - 3) * 16 + (unsigned)(ns >> (high - 4) & 15);
}

static void add_interval(struct quality *q, const struct event *e, u64 ns)
{
	struct event_quality *eq = per_event(&q->events, e);
	struct class *c;

	if (!eq->classes)
		eq->classes = xcalloc(N_CLASSES, sizeof(*eq->classes));
	c = &eq->classes[class_of(ns)];
	c->n++;
	c->sum_ns += ns;
}

static u64 dso_key(const struct dso *d)
{
	return d ? (u64)d->index + 1 : 0;
}

static struct unknown_count *unknown_of(struct quality *q, struct dso *d)
{
	bool is_new;
	struct unknown_count *u = find_or_add(&q->unknown, &q->by_dso, dso_key(d), &is_new);

	if (is_new)
		u->dso = d;
	return u;
}

static struct cpu_count *cpu_of(struct quality *q, u32 cpu)
{
	bool is_new;
	struct cpu_count *c = find_or_add(&q->cpus, &q->by_cpu, cpu, &is_new);

	if (is_new)
		c->cpu = cpu;
	return c;
}

/* Few kinds of ends, and few binaries in which they are. */
static void count_end(struct quality *q, bool copied, u8 reason, struct dso *d, u64 n)
{
	for vec_each(e, &q->ends) {
		if (e->copied == copied && e->reason == reason && e->dso == d) {
			e->n += n;
			return;
		}
	}
	vec_push(&q->ends, ((struct end_count){ reason, copied, d, n }));
}

/* ---- samples ---- */

/* The binary of the outermost frame that is code. */
static struct dso *last_dso(const struct resolved *r)
{
	for (u32 i = r->n_frames; i > 0; i--)
		if (!r->frames[i - 1].broken && r->frames[i - 1].dso)
			return r->frames[i - 1].dso;
	return NULL;
}

/* By an unwinder, whose stacks came into the file as chains. */
static bool is_unwound(const struct sample *s, const struct resolved *r)
{
	return s->event && s->event->attr.exclude_callchain_user && r->n_frames > 1 &&
		r->frames[r->n_frames - 1].cpumode == PERF_RECORD_MISC_USER;
}

/* Where no stack is missing it does not matter in what it began. */
static void add_end(struct quality *q, const struct sample *s, const struct resolved *r)
{
	if (s->stack.len && s->user_regs.regs && r->thread)
		count_end(q, true, r->chain_end,
			  r->chain_end == UNWIND_COMPLETE ? NULL : last_dso(r), 1);
	else if (r->n_frames && r->frames[r->n_frames - 1].broken)
		count_end(q, false, 0, last_dso(r), 1);
	else if (is_unwound(s, r))
		q->n_recorded++;
}

static void add_unknown(struct quality *q, const struct resolved *r)
{
	if (frame_unnamed(&r->leaf) != FRAME_NAMED)
		unknown_of(q, r->leaf.dso)->samples++;
	for (u32 i = 1; i < r->n_frames; i++)
		if (!r->frames[i].broken && frame_unnamed(&r->frames[i]) != FRAME_NAMED)
			unknown_of(q, r->frames[i].dso)->callers++;
}

/* Samples of one event that follow each other: on a CPU, or in a thread where that is not known.
 * from_ns to to_ns: those of a part of the recording. */
static void add_track(struct quality *q, const struct event *e, u64 key, u64 from_ns, u64 to_ns)
{
	const u64 id = key ^ hash_u64((u64)e->index + 1);
	bool is_new;
	struct track *t = find_or_add(&q->tracks, &q->by_track, id, &is_new);

	if (is_new)
		*t = (struct track){ e, key, from_ns, to_ns };
	else if (from_ns > t->last_ns)
		add_interval(q, e, from_ns - t->last_ns);
	t->last_ns = MAX(t->last_ns, to_ns);
}

static void add_times(struct quality *q, const struct event_count_times *t)
{
	bool is_new;

	*find_or_add(&q->times, &q->by_id, t->id, &is_new) = *t;
}

/* What counters say of themselves with a sample: the last word counts. */
static void add_read(struct quality *q, const struct sample *s)
{
	struct event_count_times t = { .id = s->id, .event = s->event };
	const u64 both = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	const u64 format = s->event->attr.read_format;
	struct wire_value first;
	u64 n;

	if ((format & both) == both &&
	    !wire_read_values(format, s->read, &first, 1, &n, &t.enabled_ns, &t.running_ns))
		add_times(q, &t);
}

static void add_sample(struct quality *q, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const bool on_cpu = s->present & PERF_SAMPLE_CPU;
	struct event_quality *eq;

	q->n_samples++;
	q->n_own += it->res->comm && !strcmp(it->res->comm->name, "perf");
	cpu_of(q, on_cpu ? s->cpu : NO_CPU)->samples++;
	add_end(q, s, it->res);
	add_unknown(q, it->res);
	if (!s->event)
		return;
	eq = per_event(&q->events, s->event);
	eq->n++;
	if (s->present & PERF_SAMPLE_TIME)
		add_track(q, s->event, on_cpu ? s->cpu : (u64)s->tid << 32, s->time_ns,
			  s->time_ns);
	if (s->present & PERF_SAMPLE_READ)
		add_read(q, s);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_sample(sink->ctx, &items[i]);
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 file_off UNUSED)
{
	struct quality *q = sink->ctx;
	const u32 cpu = id->present & PERF_SAMPLE_CPU ? id->cpu : NO_CPU;
	const char *reason;
	struct wire_lost lost;

	if (rec->type == PERF_RECORD_THROTTLE)
		cpu_of(q, cpu)->throttled++;
	if (rec->type != PERF_RECORD_LOST && rec->type != PERF_RECORD_LOST_SAMPLES)
		return;
	if (!wire_is_dropped(rec) && !wire_decode_lost(rec, &lost, &reason))
		cpu_of(q, cpu)->lost += lost.lost;
}

/* ---- parts ---- */

static void add_event(void *to, const void *from)
{
	struct event_quality *t = to;
	const struct event_quality *f = from;

	t->n += f->n;
	if (!f->classes)
		return;
	if (!t->classes)
		t->classes = xcalloc(N_CLASSES, sizeof(*t->classes));
	for (size_t i = 0; i < N_CLASSES; i++) {
		t->classes[i].n += f->classes[i].n;
		t->classes[i].sum_ns += f->classes[i].sum_ns;
	}
}

static void on_merge(struct sink *sink, struct sink *other)
{
	struct quality *q = sink->ctx, *from = other->ctx;

	for vec_each(e, &from->ends)
		count_end(q, e->copied, e->reason, e->dso, e->n);
	for vec_each(u, &from->unknown) {
		unknown_of(q, u->dso)->samples += u->samples;
		unknown_of(q, u->dso)->callers += u->callers;
	}
	for vec_each(c, &from->cpus) {
		struct cpu_count *to = cpu_of(q, c->cpu);

		to->samples += c->samples;
		to->lost += c->lost;
		to->throttled += c->throttled;
	}
	for vec_each(t, &from->tracks)
		add_track(q, t->event, t->key, t->first_ns, t->last_ns);
	for vec_each(t, &from->times)
		add_times(q, t);
	per_event_merge(&q->events, &from->events, add_event);
	q->n_samples += from->n_samples;
	q->n_own += from->n_own;
	q->n_recorded += from->n_recorded;
	quality_free(from);
}

static struct sink *on_clone(struct sink *sink UNUSED)
{
	return &quality_new()->sink;
}

struct quality *quality_new(void)
{
	struct quality *q = xnew(struct quality);

	per_event_init(&q->events, sizeof(struct event_quality), NULL, NULL);
	q->sink = (struct sink){ .wants = SINK_SYMBOLS | SINK_CHAIN | SINK_SIDEBAND, .ctx = q,
				 .samples = on_samples, .record = on_record, .clone = on_clone,
				 .merge = on_merge };
	return q;
}

void quality_free(struct quality *q)
{
	if (!q)
		return;
	for (size_t i = 0; i < q->events.n; i++) {
		struct event_quality *eq = per_event_at(&q->events, i);

		if (eq)
			free(eq->classes);
	}
	per_event_release(&q->events);
	vec_free(&q->ends);
	vec_free(&q->unknown);
	vec_free(&q->cpus);
	vec_free(&q->tracks);
	vec_free(&q->times);
	hmap_release(&q->by_dso);
	hmap_release(&q->by_cpu);
	hmap_release(&q->by_track);
	hmap_release(&q->by_id);
	free(q);
}

struct sink *quality_sink(struct quality *q)
{
	return &q->sink;
}

struct dso *quality_unknown(const struct quality *q, size_t i)
{
	return q->unknown.v[i].dso;
}

u64 quality_own_samples(const struct quality *q)
{
	return q->n_own;
}

/* ---- tables ---- */

static double pct(u64 n, u64 of)
{
	return of ? 100.0 * (double)n / (double)of : 0;
}

static int cmp_name(const struct dso *a, const struct dso *b)
{
	return a && b ? strcmp(a->path, b->path) : (a != NULL) - (b != NULL);
}

static int cmp_unknown(const void *pa, const void *pb)
{
	const struct unknown_count *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	if (a->callers != b->callers)
		return a->callers < b->callers ? 1 : -1;
	return cmp_name(a->dso, b->dso);
}

static int cmp_end(const void *pa, const void *pb)
{
	const struct end_count *a = pa, *b = pb;

	if (a->copied != b->copied)
		return a->copied ? -1 : 1;
	if (a->reason != b->reason)
		return a->reason - b->reason;
	return a->n != b->n ? (a->n < b->n ? 1 : -1) : cmp_name(a->dso, b->dso);
}

static int cmp_cpu(const void *pa, const void *pb)
{
	const struct cpu_count *a = pa, *b = pb;

	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

static void add_numbers(struct table *t, const char *key, const char *title)
{
	struct column *c = table_add_column(t, key, title);

	c->right = true;
	c->none = "";
	c->decimals = str_has_suffix(key, "_pct");
}

static struct cell dso_cell(struct table *t, const struct dso *d, const char *none)
{
	return cell_text(table_text(t, d ? d->path : none));
}

static void add_stacks(struct table *t, const char *state, const char *reason, const struct dso *d,
		       u64 n)
{
	struct table_row *row = n ? table_add_row(t) : NULL;

	if (!row)
		return;
	row->cells[0] = cell_text(state);
	row->cells[1] = cell_text(reason);
	if (d)
		row->cells[2] = dso_cell(t, d, "");
	row->cells[3] = cell_count(n);
}

static const char *state_of(u8 reason)
{
	return reason == UNWIND_COMPLETE ? "whole" : reason == UNWIND_MAX_FRAMES ||
		reason == UNWIND_STACK_CUT ? "cut" : "broken";
}

static void fill_stacks(struct quality *q, const struct stream_stats *st, struct table *t)
{
	u64 all = 0;

	t->key = "stacks";
	table_add_column(t, "state", "State");
	table_add_column(t, "reason", "Reason");
	table_add_column(t, "dso", "Ended in")->none = "";
	add_numbers(t, "samples", "Samples");
	add_numbers(t, "share_pct", "Share");
	if (q->ends.n)
		qsort(q->ends.v, q->ends.n, sizeof(*q->ends.v), cmp_end);
	add_stacks(t, "whole", QUALITY_NO_BREAK, NULL,
		   st->n_user_chains - st->n_broken_chains - st->n_unsure_chains);
	for vec_each(e, &q->ends)
		add_stacks(t, e->copied ? state_of(e->reason) : "broken", e->copied ?
			   unwind_end_text(e->reason) : QUALITY_BROKEN, e->dso,
			   e->n);
	add_stacks(t, "unsure", QUALITY_UNSURE, NULL, st->n_unsure_chains);
	add_stacks(t, "recorded", QUALITY_RECORDED, NULL, q->n_recorded);
	for vec_each(row, &t->rows)
		all += row->cells[3].u;
	for vec_each(row, &t->rows)
		row->cells[4] = cell_pct(pct(row->cells[3].u, all));
}

static void fill_unknown(struct quality *q, struct table *t)
{
	t->key = "unknown";
	table_add_column(t, "dso", "Binary");
	table_add_column(t, "build_id", "Build-id")->none = "";
	add_numbers(t, "samples", "Samples");
	add_numbers(t, "share_pct", "Share");
	add_numbers(t, "callers", "Callers");
	table_add_column(t, "reason", "Reason");
	table_add_column(t, "package", "Package")->none = "";
	table_add_column(t, "debug_package", "Debug symbols")->none = "";
	vec_last(&t->cols)->trim = true;
	if (q->unknown.n)
		qsort(q->unknown.v, q->unknown.n, sizeof(*q->unknown.v), cmp_unknown);
	for vec_each(u, &q->unknown) {
		struct table_row *row = table_add_row(t);
		const char *reason = u->dso ? dso_reason(u->dso) : NULL;
		struct str id = STR_INIT;

		if (u->dso && u->dso->id.n)
			build_id_add(&id, &u->dso->id);
		row->cells[0] = dso_cell(t, u->dso, "[unmapped]");
		if (id.len)
			row->cells[1] = cell_text(table_text(t, id.buf));
		row->cells[2] = cell_count(u->samples);
		row->cells[3] = cell_pct(pct(u->samples, q->n_samples));
		row->cells[4] = cell_count(u->callers);
		row->cells[5] = cell_text(table_text(t, reason ? reason :
						     frame_unnamed_text(frame_unnamed_in(u->dso))));
		str_release(&id);
	}
}

static void fill_cpus(struct quality *q, struct table *t)
{
	t->key = "cpus";
	table_add_column(t, "cpu", "CPU")->none = "?";
	add_numbers(t, "samples", "Samples");
	add_numbers(t, "lost", "Lost");
	add_numbers(t, "throttled", "Throttled");
	if (q->cpus.n)
		qsort(q->cpus.v, q->cpus.n, sizeof(*q->cpus.v), cmp_cpu);
	for vec_each(c, &q->cpus) {
		struct table_row *row = table_add_row(t);

		if (c->cpu != NO_CPU)
			row->cells[0] = cell_int(c->cpu);
		row->cells[1] = cell_count(c->samples);
		row->cells[2] = cell_count(c->lost);
		row->cells[3] = cell_count(c->throttled);
	}
}

/* Half of the intervals are shorter: gaps, when nothing ran, do not count. 0: not known. */
static double median_hz(const struct event_quality *eq)
{
	u64 all = 0, below = 0;
	size_t i = 0;

	for (size_t k = 0; eq->classes && k < N_CLASSES; k++)
		all += eq->classes[k].n;
	if (!all)
		return 0;
	while (i < N_CLASSES && (below += eq->classes[i].n) * 2 < all)
		i++;
	return eq->classes[i].sum_ns ? 1e9 * (double)eq->classes[i].n /
		(double)eq->classes[i].sum_ns : 0;
}

/* 0: nobody asked for a number of samples a second. */
static double asked_hz(const struct perf_event_attr *a)
{
	const bool clock = a->type == PERF_TYPE_SOFTWARE &&
		(a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);

	if (a->freq)
		return (double)a->sample_freq;
	return clock && a->sample_period ? 1e9 / (double)a->sample_period : 0;
}

static void add_running(const struct quality *q, const struct event *e, struct cell *out)
{
	u64 enabled = 0, running = 0;

	for vec_each(t, &q->times) {
		if (t->event != e)
			continue;
		enabled += t->enabled_ns;
		running += t->running_ns;
	}
	if (enabled)
		*out = cell_pct(pct(running, enabled));
}

static void fill_events(struct quality *q, const struct event_list *l, struct table *t)
{
	t->key = "events";
	table_add_column(t, "event", "Event");
	add_numbers(t, "samples", "Samples");
	add_numbers(t, "asked_hz", "Asked Hz");
	add_numbers(t, "got_hz", "Got Hz");
	add_numbers(t, "running_pct", "Running");
	for vec_each(e, &l->events) {
		const struct event_quality *eq = per_event_peek(&q->events, *e);
		struct table_row *row = (*e)->dummy ? NULL : table_add_row(t);
		const double asked = asked_hz(&(*e)->attr), got = eq ? median_hz(eq) : 0;

		if (!row)
			continue;
		row->cells[0] = cell_text(table_text(t, (*e)->name));
		row->cells[1] = cell_count(eq ? eq->n : 0);
		if (asked > 0)
			row->cells[2] = cell_num(asked, 0);
		if (asked > 0 && got > 0)
			row->cells[3] = cell_num(got, 0);
		add_running(q, *e, &row->cells[4]);
	}
}

void quality_tables(struct quality *q, const struct event_list *events,
		    const struct stream_stats *st, struct quality_tables *out)
{
	fill_stacks(q, st, &out->stacks);
	fill_unknown(q, &out->unknown);
	fill_cpus(q, &out->cpus);
	fill_events(q, events, &out->events);
}

void quality_tables_release(struct quality_tables *t)
{
	table_release(&t->stacks);
	table_release(&t->unknown);
	table_release(&t->cpus);
	table_release(&t->events);
}
