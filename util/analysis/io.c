// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/io-priv.h"

#include <stdlib.h>
#include <string.h>

#include "util/analysis/missing-events.h"
#include "util/analysis/sort-keys.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"
#include "util/stream/frame.h"

const char *const io_op_names[IO_OPS] = { "read", "write", "discard", "flush", "other" };
static const char *const key_names[IO_N_KEYS] = { "comm", "pid", "tid", "device", "op", "size" };

enum step { STEP_NONE, STEP_QUEUED, STEP_ISSUED, STEP_DONE };
struct ev {
	enum step step;
	const struct tp_field *dev, *sector, *n_sectors, *bytes, *rwbs;
};

/* --- rows */

/* Sizes in steps of doublings, by the lower end. */
static u64 size_step(u32 bytes) { return bytes ? 1ULL << (31 - __builtin_clz(bytes)) : 0; }

static u64 word_of(const struct io_model *m, enum io_key key, const struct io_request *r)
{
	const u64 *task = idset_at(&m->tasks, r->task);

	switch (key) {
	case IO_COMM: return task[0];
	case IO_PID: return task[1];
	case IO_TID: return task[2];
	case IO_DEVICE: return r->dev;
	case IO_OP: return r->op;
	case IO_SIZE: return size_step(r->bytes);
	case IO_N_KEYS: break;
	}
	return 0;
}

static void count_stack(struct io_model *m, u32 row, u32 node, u64 ns)
{
	const u32 at = idset_get(&m->entry_ids, (u64[]){ row, node });

	if (at == m->entries.n) {
		vec_push(&m->entries, ((struct io_entry){ .node = node,
							  .next = m->rows.v[row]->first }));
		m->rows.v[row]->first = at;
	}
	m->entries.v[at].ns += ns;
	m->entries.v[at].n++;
}

static void count(struct io_model *m, const struct io_request *r, u64 done_ns)
{
	const u64 ns = done_ns > r->start_ns ? done_ns - r->start_ns : 0;
	u64 words[IO_N_KEYS] = { 0 };
	struct io_row *row;
	u32 id;

	for (int i = 0; i < m->n_keys; i++)
		words[m->keys[i]] = word_of(m, m->keys[i], r);
	id = idset_get(&m->row_ids, words);
	if (id == m->rows.n) {
		row = arena_alloc(&m->row_arena, sizeof(*row));
		row->first = IO_NO_ENTRY;
		vec_push(&m->rows, row);
	}
	row = m->rows.v[id];
	row->n++;
	row->bytes += r->bytes;
	row->ns += ns;
	row->max_ns = MAX(row->max_ns, ns);
	row->queue_ns += r->issue_ns > r->start_ns ? r->issue_ns - r->start_ns : 0;
	ns_hist_add(&row->hist, ns);
	if (m->opts.chains)
		count_stack(m, id, r->node, ns);
	m->stats.n_requests++;
	m->stats.bytes += r->bytes;
	m->stats.total_ns += ns;
}

/* --- requests */

static u64 key_of(u32 dev, u64 sector) { return hash_u64(sector) ^ hash_u64((u64)dev + 1); }

static void put_open(struct io_model *m, struct io_request *r)
{
	const u64 key = key_of(r->dev, r->sector);
	struct io_request *first = hmap_get(&m->open, key);

	r->next = NULL;
	if (!first) {
		hmap_put(&m->open, key, r);
		return;
	}
	while (first->next)
		first = first->next;
	first->next = r;
}

static struct io_request *take_open(struct io_model *m, u32 dev, u64 sector)
{
	const u64 key = key_of(dev, sector);
	struct io_request *first = hmap_get(&m->open, key), *at = first, *before = NULL;

	/* the one that the device has; those behind it are still in the queue */
	while (at && !at->issue_ns) {
		before = at;
		at = at->next;
	}
	if (!at)
		return NULL;
	if (before)
		before->next = at->next;
	else if (at->next)
		hmap_put(&m->open, key, at->next);
	else
		hmap_del(&m->open, key);
	return at;
}

static u8 op_of(const struct ev *ev, struct span raw, bool swap)
{
	size_t n = 0;
	const char *text = ev->rwbs ? tp_read_str(ev->rwbs, raw, swap, &n) : NULL;
	/* "FF": a flush; "FWS": a write with a flush before it */
	static const char letters[] = "RWDF";

	for (size_t i = 0; text && i < sizeof(letters) - 1; i++)
		if (memchr(text, letters[i], n))
			return (u8)i;
	return IO_OPS - 1;
}

/* The innermost function that is not the tracepoint's own. */
static u32 first_frame(const struct resolved *r)
{
	u32 i = 0;

	while (i < r->n_frames && str_has_prefix(frame_label(&r->frames[i]), "__traceiter_"))
		i++;
	return i;
}

static struct io_request *begin(struct io_model *m, const struct ev *ev,
				const struct sink_item *item, u32 dev, u64 sector)
{
	const struct sample *s = item->sample;
	const struct thread *t = item->res->thread;
	const char *comm = item->res->comm ? item->res->comm->name : "";
	struct io_request *r = m->spare ? m->spare : arena_alloc(&m->arena, sizeof(*r));

	if (r == m->spare)
		m->spare = r->next;
	*r = (struct io_request){ .start_ns = s->time_ns, .dev = dev, .sector = sector,
				  .op = op_of(ev, s->raw, m->swap) };
	r->n_sectors = ev->n_sectors ? (u32)tp_read_u64(ev->n_sectors, s->raw, m->swap) : 0;
	r->bytes = ev->bytes ? (u32)tp_read_u64(ev->bytes, s->raw, m->swap) : r->n_sectors * 512;
	r->task = idset_get(&m->tasks, (u64[]){
		(u64)(uintptr_t)intern_str(m->stacks.names, comm), t ? t->pid : s->pid, s->tid });
	if (m->opts.chains)
		r->node = stack_set_node(&m->stacks, item->res, first_frame(item->res));
	put_open(m, r);
	return r;
}

/* The oldest of those in the queue, else one that was never there. */
static void issued(struct io_model *m, const struct ev *ev, const struct sink_item *item, u32 dev,
		   u64 sector)
{
	struct io_request *r = hmap_get(&m->open, key_of(dev, sector));

	while (r && (r->issue_ns || r->dev != dev || r->sector != sector))
		r = r->next;
	if (!r)
		r = begin(m, ev, item, dev, sector);
	r->issue_ns = item->sample->time_ns;
	/* others were merged into it meanwhile */
	if (ev->n_sectors)
		r->n_sectors = (u32)tp_read_u64(ev->n_sectors, item->sample->raw, m->swap);
	if (ev->bytes)
		r->bytes = (u32)tp_read_u64(ev->bytes, item->sample->raw, m->swap);
}

static void done(struct io_model *m, const struct ev *ev, const struct sample *s, u32 dev,
		 u64 sector)
{
	struct io_request *r = take_open(m, dev, sector);
	const u32 n = ev->n_sectors ? (u32)tp_read_u64(ev->n_sectors, s->raw, m->swap) : 0;

	if (!r) {
		m->stats.n_unbegun++;
		return;
	}
	if (n && n < r->n_sectors) {		/* a part of it: the rest is still under way */
		r->sector += n;
		r->n_sectors -= n;
		put_open(m, r);
		return;
	}
	count(m, r, s->time_ns);
	r->next = m->spare;
	m->spare = r;
}

/* --- events */

static void ev_init(void *ctx UNUSED, const struct event *e, void *state)
{
	static const struct { const char *name; enum step step; } steps[] = {
		{ "block_rq_insert", STEP_QUEUED }, { "block_rq_issue", STEP_ISSUED },
		{ "block_rq_complete", STEP_DONE },
	};
	struct ev *ev = state;

	*ev = (struct ev){ .step = STEP_NONE };
	for (size_t i = 0; i < ARRAY_SIZE(steps) && e->format; i++)
		if (event_is_tracepoint(e, "block", steps[i].name))
			ev->step = steps[i].step;
	if (ev->step == STEP_NONE)
		return;
	ev->dev = tp_field(e->format, "dev");
	ev->sector = tp_field(e->format, "sector");
	ev->n_sectors = tp_field(e->format, "nr_sector");
	ev->bytes = tp_field(e->format, "bytes");
	ev->rwbs = tp_field(e->format, "rwbs");
}

static void on_event(struct io_model *m, const struct ev *ev, const struct sink_item *item)
{
	const struct sample *s = item->sample;
	u64 sector;
	u32 dev;

	if (!ev->dev || !ev->sector || !s->raw.len) {
		m->stats.n_bad++;
		return;
	}
	dev = (u32)tp_read_u64(ev->dev, s->raw, m->swap);
	sector = tp_read_u64(ev->sector, s->raw, m->swap);
	if (ev->step == STEP_QUEUED)
		begin(m, ev, item, dev, sector);
	else if (ev->step == STEP_ISSUED)
		issued(m, ev, item, dev, sector);
	else
		done(m, ev, s, dev, sector);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct io_model *m = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct event *e = items[i].sample->event;
		const struct ev *ev = e ? per_event(&m->events, e) : NULL;

		if (ev && ev->step != STEP_NONE)
			on_event(m, ev, &items[i]);
	}
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct io_model *m = sink->ctx;

	return ((const struct ev *)per_event(&m->events, e))->step != STEP_NONE;
}

/* --- its life */

struct io_model *io_new(const struct io_opts *opts, const struct event_list *events, bool swap,
			struct err *err)
{
	struct io_model *m = xnew(struct io_model);

	m->opts = *opts;
	m->swap = swap;
	stack_set_init(&m->stacks);
	idset_init(&m->tasks, 3);
	idset_init(&m->row_ids, IO_N_KEYS);
	idset_init(&m->entry_ids, 2);
	per_event_init(&m->events, sizeof(struct ev), ev_init, m);
	per_event_fill(&m->events, events);
	m->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD, .ctx = m,
				 .samples = on_samples, .takes = takes };
	if (opts->chains)
		m->sink.wants |= SINK_SYMBOLS | SINK_CHAIN | SINK_INLINE;
	m->n_keys = sort_keys_parse(opts->keys ? opts->keys : "comm,device,op", key_names,
				    IO_N_KEYS, m->keys, err);
	if (m->n_keys >= 0)
		return m;
	io_free(m);
	return NULL;
}

void io_free(struct io_model *m)
{
	if (!m)
		return;
	stack_set_release(&m->stacks);
	idset_release(&m->tasks);
	idset_release(&m->row_ids);
	idset_release(&m->entry_ids);
	per_event_release(&m->events);
	hmap_release(&m->open);
	vec_free(&m->rows);
	vec_free(&m->entries);
	arena_release(&m->arena);
	arena_release(&m->row_arena);
	free(m);
}

void io_restart(struct io_model *m)
{
	idset_release(&m->row_ids);
	idset_release(&m->entry_ids);
	idset_init(&m->row_ids, IO_N_KEYS);
	idset_init(&m->entry_ids, 2);
	vec_clear(&m->rows);
	vec_clear(&m->entries);
	arena_release(&m->row_arena);
	m->stats = (struct io_stats){ .n_unbegun = 0 };
}

struct sink *io_sink(struct io_model *m) { return &m->sink; }

const struct io_stats *io_get_stats(const struct io_model *m) { return &m->stats; }

int io_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = { "of block devices",
						     "no events of block devices",
						     "perf io record" };
	bool issue = false, complete = false;

	for vec_each(e, &events->events) {
		issue |= event_is_tracepoint(*e, "block", "block_rq_issue");
		complete |= event_is_tracepoint(*e, "block", "block_rq_complete");
	}
	return issue && complete ? 0 : events_missing(events, path, &needed, err);
}
