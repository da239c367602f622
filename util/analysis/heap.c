// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/heap-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/missing-events.h"
#include "util/base/xalloc.h"
#include "util/stream/frame.h"
#include "util/wire/wire.h"

enum heap_event { HEAP_NOTHING, HEAP_ALLOC, HEAP_FREE };

const char *const heap_measure_names[HEAP_N_MEASURES] = { "live", "peak", "alloc", "allocs",
							  "leak" };

/* --- sums */

static void add_sum(struct heap_sum *s, u64 weight, u64 bytes)
{
	s->bytes += weight;
	s->var += (double)weight * (double)(weight - bytes);
}

static void take_sum(struct heap_sum *s, u64 weight, u64 bytes)
{
	s->bytes -= MIN(weight, s->bytes);
	s->var -= (double)weight * (double)(weight - bytes);
	s->var = s->bytes ? MAX(s->var, 0.) : 0;
}

/* Before "now" changes: what it was at the last peak stays known. */
static void keep_peak(const struct heap_model *m, struct heap_entry *e)
{
	if (e->peak_nr == m->peak_nr)
		return;
	e->peak = e->now;
	e->peak_nr = m->peak_nr;
}

/* A byte at least: as the recorder has it. */
static u64 bytes_of(const struct sample *s) { return MAX(MIN(s->weight, s->period), (u64)1); }

static void allocated(struct heap_model *m, struct heap_entry *e, u64 weight, u64 bytes,
		      u64 time_ns)
{
	keep_peak(m, e);
	add_sum(&e->alloc, weight, bytes);
	add_sum(&e->now, weight, bytes);
	e->times += (double)weight / (double)bytes;
	add_sum(&m->alloc, weight, bytes);
	add_sum(&m->now, weight, bytes);
	m->times += (double)weight / (double)bytes;
	if (m->now.bytes <= m->peak.bytes)
		return;
	m->peak = m->now;
	m->peak_ns = time_ns;
	m->peak_nr++;
}

static void drop_now(struct heap_model *m, struct heap_entry *e, const struct heap_piece *p)
{
	keep_peak(m, e);
	take_sum(&e->now, p->weight, p->bytes);
	take_sum(&m->now, p->weight, p->bytes);
}

/* --- pieces */

static struct hmap *pieces_of(struct heap_model *m, u32 pid, bool make)
{
	struct hmap *h = hmap_get(&m->procs, (u64)pid + 1);

	if (!h && make) {
		h = xnew(struct hmap);
		hmap_put(&m->procs, (u64)pid + 1, h);
		m->n_procs++;
	}
	return h;
}

static void give_back(struct heap_model *m, struct heap_piece *p)
{
	p->spare = m->spare;
	m->spare = p;
}

static void add_life(struct heap_lives *l, u64 ns)
{
	ns_hist_add(&l->hist, ns);
	l->longest_ns = MAX(l->longest_ns, ns);
}

static void freed(struct heap_model *m, struct heap_piece *p, u64 time_ns)
{
	struct heap_entry *e = &m->entries.v[p->entry];
	const u64 ns = time_ns > p->time_ns ? time_ns - p->time_ns : 0;

	drop_now(m, e, p);
	e->freed_bytes += p->weight;
	m->freed_bytes += p->weight;
	add_life(m->rows.v[e->row].lives, ns);
	add_life(&m->lives, ns);
	give_back(m, p);
}

/* The process has ended, or what it was. */
static void ended(struct heap_model *m, u32 pid)
{
	struct hmap *h = hmap_del(&m->procs, (u64)pid + 1);

	if (!h)
		return;
	for hmap_each(i, h) {
		struct heap_piece *p = h->vals[i];
		struct heap_entry *e = &m->entries.v[p->entry];

		drop_now(m, e, p);
		add_sum(&e->leak, p->weight, p->bytes);
		add_sum(&m->leak, p->weight, p->bytes);
		give_back(m, p);
	}
	hmap_release(h);
	free(h);
}

/* --- stacks */

/* Who calls operator new, or the loader's calloc, which calls that of the C library, has
 * allocated. */
static bool is_allocator(const char *name)
{
	return str_has_prefix(name, "operator new") || !strcmp(name, "calloc") ||
		!strcmp(name, "malloc") || !strcmp(name, "realloc");
}

static u32 first_frame(const struct resolved *r)
{
	u32 i = 0;

	while (i + 1 < r->n_frames && is_allocator(frame_label(&r->frames[i])))
		i++;
	return i;
}

static u32 entry_of(struct heap_model *m, const struct resolved *r)
{
	const u32 first = first_frame(r), node = stack_set_node(&m->stacks, r, first);
	const char *function = intern_str(m->stacks.names, r->n_frames ?
					  frame_label(&r->frames[first]) : "[unknown]");
	const u32 row = idset_get(&m->row_ids, (u64[]){ (u64)(uintptr_t)function });
	u32 at;

	if (row == m->rows.n)
		vec_push(&m->rows, ((struct heap_row){ .function = function,
						       .first = HEAP_NO_ENTRY,
						       .lives = xnew(struct heap_lives) }));
	at = idset_get(&m->entry_ids, (u64[]){ row, node });
	if (at == m->entries.n) {
		vec_push(&m->entries, ((struct heap_entry){ .node = node, .row = row,
							    .next = m->rows.v[row].first }));
		m->rows.v[row].first = at;
	}
	return at;
}

/* --- events */

static u32 pid_of(const struct sink_item *it)
{
	return it->res->thread ? it->res->thread->pid : it->sample->pid;
}

static void on_alloc(struct heap_model *m, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	struct hmap *pieces = pieces_of(m, pid_of(it), true);
	struct heap_piece *p = hmap_get(pieces, s->addr);

	/* the free of what was there was not recorded */
	if (p)
		freed(m, p, s->time_ns);
	p = m->spare ? m->spare : arena_alloc(&m->arena, sizeof(*p));
	if (p == m->spare)
		m->spare = p->spare;
	*p = (struct heap_piece){ .bytes = bytes_of(s), .weight = s->period,
				  .time_ns = s->time_ns, .pid = pid_of(it) };
	p->entry = entry_of(m, it->res);
	hmap_put(pieces, s->addr, p);
	m->n_samples++;
	if (!m->first_ns)
		m->first_ns = s->time_ns;
	allocated(m, &m->entries.v[p->entry], p->weight, p->bytes, s->time_ns);
}

static void on_free(struct heap_model *m, const struct sink_item *it)
{
	struct hmap *pieces = pieces_of(m, pid_of(it), false);
	struct heap_piece *p = pieces ? hmap_del(pieces, it->sample->addr) : NULL;

	if (p)
		freed(m, p, it->sample->time_ns);
}

/* By what samples have: names are at the end of a file, which may be missing. */
static enum heap_event kind_of(const struct event *e)
{
	const u64 fields = PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT;

	if (e->attr.type != PERF_TYPE_SOFTWARE || e->attr.config != PERF_COUNT_SW_BPF_OUTPUT ||
	    (e->attr.sample_type & fields) != fields)
		return HEAP_NOTHING;
	return e->attr.sample_type & PERF_SAMPLE_CALLCHAIN ? HEAP_ALLOC : HEAP_FREE;
}

static void ev_init(void *ctx, const struct event *e, void *state)
{
	struct heap_model *m = ctx;

	*(enum heap_event *)state = kind_of(e);
	if (kind_of(e) == HEAP_ALLOC)
		m->period = e->attr.sample_period;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct heap_model *m = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct event *e = items[i].sample->event;
		const enum heap_event *kind = e ? per_event(&m->events, e) : NULL;

		if (kind && *kind == HEAP_ALLOC)
			on_alloc(m, &items[i]);
		else if (kind && *kind == HEAP_FREE)
			on_free(m, &items[i]);
	}
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id UNUSED, u64 off UNUSED)
{
	struct heap_model *m = sink->ctx;
	struct wire_comm comm;
	struct wire_task task;
	struct wire_lost lost;
	const char *reason;

	if (rec->type == PERF_RECORD_EXIT && !wire_decode_task(rec, &task, &reason) &&
	    task.pid == task.tid)
		ended(m, task.pid);
	else if (rec->type == PERF_RECORD_COMM && !wire_decode_comm(rec, &comm, &reason) &&
		 comm.exec)
		ended(m, comm.pid);
	else if (rec->type == PERF_RECORD_LOST_SAMPLES && !wire_decode_lost(rec, &lost, &reason))
		m->n_lost += lost.lost;
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct heap_model *m = sink->ctx;

	return *(const enum heap_event *)per_event(&m->events, e) != HEAP_NOTHING;
}

/* --- its life */

struct heap_model *heap_new(const struct event_list *events)
{
	struct heap_model *m = xnew(struct heap_model);

	stack_set_init(&m->stacks);
	event_list_init(&m->measures);
	idset_init(&m->row_ids, 1);
	idset_init(&m->entry_ids, 2);
	per_event_init(&m->events, sizeof(enum heap_event), ev_init, m);
	per_event_fill(&m->events, events);
	m->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD | SINK_SYMBOLS | SINK_CHAIN |
				 SINK_INLINE | SINK_SIDEBAND, .ctx = m, .samples = on_samples,
				 .record = on_record, .takes = takes };
	return m;
}

void heap_free(struct heap_model *m)
{
	if (!m)
		return;
	for hmap_each(i, &m->procs) {
		hmap_release(m->procs.vals[i]);
		free(m->procs.vals[i]);
	}
	for vec_each(row, &m->rows)
		free(row->lives);
	stack_set_release(&m->stacks);
	event_list_release(&m->measures);
	idset_release(&m->row_ids);
	idset_release(&m->entry_ids);
	per_event_release(&m->events);
	hmap_release(&m->procs);
	vec_free(&m->rows);
	vec_free(&m->entries);
	arena_release(&m->arena);
	free(m);
}

struct sink *heap_sink(struct heap_model *m) { return &m->sink; }

int heap_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = { "of heaps", "no allocations of memory",
						     "perf heap record" };

	for vec_each(e, &events->events)
		if (kind_of(*e) == HEAP_ALLOC)
			return 0;
	return events_missing(events, path, &needed, err);
}
