// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/kmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/kernel-name.h"
#include "util/analysis/missing-events.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

const char *const kmem_key_names[KMEM_N_KEYS] = { "ptr", "callsite", "bytes", "hit", "pingpong",
						  "frag", "page", "order", "migtype", "gfp" };

bool kmem_key_fits(enum kmem_key key, bool pages)
{
	return key == KMEM_CALLSITE || key == KMEM_BYTES || key == KMEM_HIT ||
		pages == (key >= KMEM_PAGE);
}

enum step { STEP_NONE, STEP_ALLOC, STEP_FREE };
static const struct { const char *name; enum step step; } decoders[] = {
	{ "kmalloc", STEP_ALLOC }, { "kmalloc_node", STEP_ALLOC },
	{ "kmem_cache_alloc", STEP_ALLOC }, { "kmem_cache_alloc_node", STEP_ALLOC },
	{ "kfree", STEP_FREE }, { "kmem_cache_free", STEP_FREE },
};

struct ev {
	enum step step;
	bool complete;
	const struct tp_field *call_site, *ptr, *req, *alloc, *node;
};

struct stat {			/* of a call site, or of memory */
	u64 va;
	u64 bytes_req, bytes_alloc, hits, pingpong;
	/* of memory: its last allocation */
	u64 last_alloc;		/* bytes; 0: it is free */
	u32 cpu;
	struct stat *caller;
	u64 t_ns;		/* of the first */
};

typedef VEC(struct stat *) stat_vec;

struct kmem {
	struct kmem_opts opts;
	struct sink sink;
	struct kmem_totals totals;
	bool swap;
	struct machine *machine;
	struct per_event events;	/* struct ev */
	struct hmap by_caller, by_ptr;	/* address + 1 */
	stat_vec callers, memory;
	struct arena arena;
};

static struct stat *stat_of(struct kmem *k, struct hmap *map, stat_vec *all, u64 va, u64 t_ns)
{
	struct stat *s = hmap_get(map, va + 1);

	if (s)
		return s;
	s = arena_alloc(&k->arena, sizeof(*s));
	s->va = va;
	s->t_ns = t_ns;
	hmap_put(map, va + 1, s);
	vec_push(all, s);
	return s;
}

static void add(struct stat *s, u64 req, u64 alloc)
{
	s->hits++;
	s->bytes_req += req;
	s->bytes_alloc += alloc;
}

static bool is_cross(const struct kmem *k, const struct ev *ev, const struct sample *s)
{
	const s32 node = ev->node ? (s32)tp_read_u64(ev->node, s->raw, k->swap) : -1;

	return node >= 0 && s->cpu < k->opts.n_nodes && k->opts.nodes[s->cpu] != node;
}

static void on_alloc(struct kmem *k, const struct ev *ev, const struct sample *s)
{
	const u64 req = tp_read_u64(ev->req, s->raw, k->swap),
		alloc = tp_read_u64(ev->alloc, s->raw, k->swap);
	struct stat *memory = stat_of(k, &k->by_ptr, &k->memory,
				      tp_read_u64(ev->ptr, s->raw, k->swap), s->time_ns);
	struct stat *caller = stat_of(k, &k->by_caller, &k->callers,
				      tp_read_u64(ev->call_site, s->raw, k->swap), s->time_ns);

	add(memory, req, alloc);
	add(caller, req, alloc);
	memory->last_alloc = alloc;
	memory->cpu = s->cpu;
	memory->caller = caller;
	k->totals.n_allocs++;
	k->totals.n_cross += is_cross(k, ev, s);
	k->totals.requested += req;
	k->totals.allocated += alloc;
}

static void on_free(struct kmem *k, const struct ev *ev, const struct sample *s)
{
	struct stat *memory = hmap_get(&k->by_ptr, tp_read_u64(ev->ptr, s->raw, k->swap) + 1);

	k->totals.n_frees++;
	if (!memory)
		return;
	k->totals.freed += memory->last_alloc;
	if (memory->caller && memory->cpu != s->cpu) {
		memory->pingpong++;
		memory->caller->pingpong++;
	}
	memory->caller = NULL;
	memory->last_alloc = 0;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct kmem *k = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct ev *ev = s->event ? per_event(&k->events, s->event) : NULL;

		if (!ev || ev->step == STEP_NONE)
			continue;
		if (!ev->complete || !s->raw.len)
			k->totals.n_bad++;
		else if (ev->step == STEP_ALLOC)
			on_alloc(k, ev, s);
		else
			on_free(k, ev, s);
	}
}

static enum step step_of(const struct event *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++)
		if (event_is_tracepoint(e, "kmem", decoders[i].name))
			return decoders[i].step;
	return STEP_NONE;
}

static void ev_init(void *ctx UNUSED, const struct event *e, void *state)
{
	struct ev *ev = state;

	*ev = (struct ev){ .step = step_of(e) };
	if (!e->format || ev->step == STEP_NONE)
		return;
	ev->call_site = tp_field(e->format, "call_site");
	ev->ptr = tp_field(e->format, "ptr");
	ev->req = tp_field(e->format, "bytes_req");
	ev->alloc = tp_field(e->format, "bytes_alloc");
	ev->node = tp_field(e->format, "node");
	ev->complete = ev->ptr && (ev->step == STEP_FREE ||
				   (ev->call_site && ev->req && ev->alloc));
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct kmem *k = sink->ctx;

	return ((const struct ev *)per_event(&k->events, e))->step != STEP_NONE;
}

struct kmem *kmem_new(const struct kmem_opts *opts, const struct event_list *events, bool swap,
		      struct machine *machine)
{
	struct kmem *k = xnew(struct kmem);

	k->opts = *opts;
	k->swap = swap;
	k->machine = machine;
	per_event_init(&k->events, sizeof(struct ev), ev_init, k);
	per_event_fill(&k->events, events);
	k->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD, .ctx = k,
				 .samples = on_samples, .takes = takes };
	return k;
}

void kmem_free(struct kmem *k)
{
	if (!k)
		return;
	per_event_release(&k->events);
	hmap_release(&k->by_caller);
	hmap_release(&k->by_ptr);
	vec_free(&k->callers);
	vec_free(&k->memory);
	arena_release(&k->arena);
	free(k);
}

struct sink *kmem_sink(struct kmem *k) { return &k->sink; }

const struct kmem_totals *kmem_totals(const struct kmem *k) { return &k->totals; }

/* --- tables */

static double frag(const struct stat *s)
{
	return s->bytes_alloc > s->bytes_req ?
		100. * (double)(s->bytes_alloc - s->bytes_req) / (double)s->bytes_alloc : 0;
}

static double value(const struct stat *s, enum kmem_key key)
{
	switch (key) {
	case KMEM_BYTES: return (double)s->bytes_alloc;
	case KMEM_HIT: return (double)s->hits;
	case KMEM_PINGPONG: return (double)s->pingpong;
	case KMEM_FRAG: return frag(s);
	default: return 0;
	}
}

static int compare(const void *a, const void *b, void *sort)
{
	const struct stat *x = *(const struct stat *const *)a, *y = *(const struct stat *const *)b;
	const struct kmem_sort *o = sort;

	for (int i = 0; i < o->n; i++) {
		const bool by_va = o->keys[i] == KMEM_PTR || o->keys[i] == KMEM_CALLSITE;
		const double v = value(x, o->keys[i]), w = value(y, o->keys[i]);

		if (by_va && x->va != y->va)
			return x->va > y->va ? -1 : 1;
		if (!by_va && v != w)
			return v > w ? -1 : 1;
	}
	return (x->va > y->va) - (x->va < y->va);
}

static void add_rows(struct kmem *k, stat_vec *all, bool callers, struct table *t)
{
	static const char *const common[] = { "bytes_alloc", "bytes_req", "hits", "pingpong" };

	t->key = callers ? "callers" : "memory";
	table_add_column(t, "address", "Address");
	if (callers) {
		table_add_column(t, "function", "Function");
		table_add_column(t, "offset", "Offset");
	}
	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		table_add_column(t, common[i], common[i]);
	table_add_column(t, "frag", "Frag")->decimals = 3;
	if (all->n)
		qsort_r(all->v, all->n, sizeof(*all->v), compare,
			callers ? &k->opts.callers : &k->opts.memory);
	for vec_each(at, all) {
		const struct stat *s = *at;
		struct cell *cell = table_add_row(t)->cells;

		*cell++ = cell_addr(s->va);
		if (callers) {
			u64 offset;
			const struct symbol *sym = kernel_symbol(k->machine, s->va, s->t_ns,
								 &offset);

			*cell++ = cell_text(sym ? sym->name : NULL);
			*cell++ = sym ? cell_count(offset) : (struct cell){ .kind = CELL_NONE };
		}
		*cell++ = cell_bytes(s->bytes_alloc);
		*cell++ = cell_bytes(s->bytes_req);
		*cell++ = cell_count(s->hits);
		*cell++ = cell_count(s->pingpong);
		*cell++ = cell_pct(frag(s));
	}
}

void kmem_tables(struct kmem *k, struct kmem_tables *out)
{
	add_rows(k, &k->callers, true, &out->callers);
	add_rows(k, &k->memory, false, &out->memory);
}

void kmem_tables_release(struct kmem_tables *t)
{
	table_release(&t->callers);
	table_release(&t->memory);
}

int kmem_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = {
		"of the slab allocator", "no events of the slab allocator", "perf kmem record" };

	for vec_each(e, &events->events)
		if (step_of(*e) == STEP_ALLOC)
			return 0;
	return events_missing(events, path, &needed, err);
}
