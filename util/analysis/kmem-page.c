// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/kmem-page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/kernel-name.h"
#include "util/analysis/kmem-gfp.h"
#include "util/analysis/missing-events.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

/* Values from here on in a call chain are marks, not addresses. */
#define FIRST_MARK ((u64)-4095)
#define NO_PAGE ((u64)-1)	/* the pfn of an allocation that failed */

enum step { STEP_NONE, STEP_ALLOC, STEP_FREE };

struct ev {
	enum step step;
	bool complete;
	const struct tp_format *format;
	const struct tp_field *pfn, *order, *gfp, *migrate_type;
};

struct gfp {
	u64 flags;
	const char *text, *brief;
};

struct kind { u64 where, gfp; u32 order, migrate_type; };	/* where: caller or pfn */

struct row {
	struct kind kind;
	u64 bytes, hits, caller, t_ns;
	const struct gfp *gfp;
	struct row *next;	/* of the same hash */
};

typedef VEC(struct row *) row_vec;
struct rows { struct hmap by_kind; row_vec all; };

/* Pages that were seen allocated and not freed since. */
struct piece { struct row *caller, *page; bool live; };

/* A code address: of the allocator itself, or of who uses it. */
enum code { CODE_ALLOCATOR = 1, CODE_OTHER };

struct kmem_page {
	struct kmem_page_opts opts;
	struct sink sink;
	struct kmem_page_totals totals;
	bool swap;
	struct machine *machine;
	struct per_event events;	/* struct ev */
	struct rows callers, pages;
	struct hmap pieces, code, gfp;	/* by pfn + 1, address + 1, flags + 1 */
	VEC(struct gfp *) all_gfp;
	struct arena arena;
};

/* --- who asked */

/* Names of functions that hand out pages, after any "__". */
static bool is_allocator(const char *name)
{
	static const char *const prefixes[] = {
		"alloc_pages", "alloc_frozen_pages", "get_free_page", "get_zeroed_page",
		"folio_alloc", "vma_alloc_folio", "get_page_from_freelist", "post_alloc_hook" };

	while (*name == '_')
		name++;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (str_has_prefix(name, prefixes[i]))
			return true;
	return !strcmp(name, "alloc_page") || str_has_prefix(name, "alloc_page_interleave") ||
		str_has_prefix(name, "alloc_page_vma");
}

static enum code code_of(struct kmem_page *k, u64 va, u64 t_ns)
{
	const struct symbol *sym;
	uintptr_t known = (uintptr_t)hmap_get(&k->code, va + 1);
	u64 offset;

	if (known)
		return (enum code)known;
	sym = kernel_symbol(k->machine, va, t_ns, &offset);
	known = sym && sym->name && is_allocator(sym->name) ? CODE_ALLOCATOR : CODE_OTHER;
	hmap_put(&k->code, va + 1, (void *)known);
	return (enum code)known;
}

/* 0: there is no call chain. A chain of nothing but the allocator ends in its outermost. */
static u64 caller_of(struct kmem_page *k, const struct sample *s)
{
	u64 va = 0;

	for (u64 i = 0; i < s->chain_n; i++) {
		if (s->chain[i] >= FIRST_MARK)
			continue;
		va = s->chain[i];
		if (code_of(k, va, s->time_ns) == CODE_OTHER)
			break;
	}
	return va;
}

/* --- flags */

/* As the event prints them: "... gfp_flags=GFP_KERNEL|__GFP_ZERO". */
static const struct gfp *gfp_of(struct kmem_page *k, const struct ev *ev, const struct sample *s)
{
	const u64 flags = tp_read_u64(ev->gfp, s->raw, k->swap);
	struct gfp *g = hmap_get(&k->gfp, flags + 1);
	struct str text = STR_INIT, brief = STR_INIT;
	const char *at;

	if (g)
		return g;
	tp_print(ev->format, s->raw, k->swap, s->cpu, s->time_ns, &text);
	at = strstr(str_cstr(&text), "gfp_flags=");
	at = at ? at + strlen("gfp_flags=") : "";
	g = arena_alloc(&k->arena, sizeof(*g));
	g->flags = flags;
	g->text = arena_strndup(&k->arena, at, strcspn(at, " "));
	gfp_shorten(g->text, &brief);
	g->brief = arena_strndup(&k->arena, str_cstr(&brief), brief.len);
	hmap_put(&k->gfp, flags + 1, g);
	vec_push(&k->all_gfp, g);
	str_release(&text);
	str_release(&brief);
	return g;
}

/* --- events */

static struct row *row_of(struct kmem_page *k, struct rows *rows, const struct kind *kind)
{
	const u64 hash = hash_bytes(kind, sizeof(*kind), 0);
	struct row *first = hmap_get(&rows->by_kind, hash), *r = first;

	while (r && memcmp(&r->kind, kind, sizeof(*kind)))
		r = r->next;
	if (r)
		return r;
	r = arena_alloc(&k->arena, sizeof(*r));
	*r = (struct row){ .kind = *kind, .next = first };
	hmap_put(&rows->by_kind, hash, r);
	vec_push(&rows->all, r);
	return r;
}

/* The events' numbers of types (since Linux 4.4) by their column. */
static unsigned column_of(u64 type)
{
	static const u8 columns[] = { 0, 2, 1, 3, 4, 4 };

	return type < ARRAY_SIZE(columns) ? columns[type] : KMEM_N_MIGRATE_TYPES;
}

static void add(struct kmem_page *k, struct kmem_sum *sum, u64 order)
{
	sum->n++;
	sum->bytes += k->opts.page_bytes << order;
}

static void count_row(struct kmem_page *k, struct row *r, const struct gfp *gfp, u64 caller,
		      u64 t_ns)
{
	if (!r->hits)
		r->t_ns = t_ns;
	r->hits++;
	r->bytes += k->opts.page_bytes << r->kind.order;
	r->gfp = gfp;
	r->caller = caller;
}

static void count_order(struct kmem_page *k, const struct kind *kind, int n)
{
	const unsigned column = column_of(kind->migrate_type);

	if (column < KMEM_N_MIGRATE_TYPES)
		k->totals.orders[kind->order][column] += (u64)n;
}

/* With --live, what was freed was never there. */
static void forget(struct kmem_page *k, struct piece *p)
{
	struct row *const rows[] = { p->caller, p->page };

	p->live = false;
	if (!k->opts.live)
		return;
	count_order(k, &p->page->kind, -1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		rows[i]->hits--;
		rows[i]->bytes -= k->opts.page_bytes << rows[i]->kind.order;
	}
}

static void on_alloc(struct kmem_page *k, const struct ev *ev, const struct sample *s, u64 pfn)
{
	struct kind kind = { 0 };
	struct piece *p;
	const struct gfp *gfp;
	const u64 caller = caller_of(k, s);

	kind.order = (u32)tp_read_u64(ev->order, s->raw, k->swap);
	kind.migrate_type = (u32)tp_read_u64(ev->migrate_type, s->raw, k->swap);
	add(k, &k->totals.alloc, kind.order);
	if (pfn == NO_PAGE) {
		add(k, &k->totals.failed, kind.order);
		return;
	}
	gfp = gfp_of(k, ev, s);
	kind.gfp = gfp->flags;
	p = hmap_get(&k->pieces, pfn + 1);
	if (!p) {
		p = arena_alloc(&k->arena, sizeof(*p));
		hmap_put(&k->pieces, pfn + 1, p);
	} else if (p->live) {
		forget(k, p);		/* that it was freed was lost */
	}
	kind.where = caller;
	p->caller = row_of(k, &k->callers, &kind);
	kind.where = pfn;
	p->page = row_of(k, &k->pages, &kind);
	p->live = true;
	count_row(k, p->caller, gfp, caller, s->time_ns);
	count_row(k, p->page, gfp, caller, s->time_ns);
	count_order(k, &kind, 1);
}

static void on_free(struct kmem_page *k, const struct ev *ev, const struct sample *s, u64 pfn)
{
	const u64 order = tp_read_u64(ev->order, s->raw, k->swap);
	struct piece *p = hmap_get(&k->pieces, pfn + 1);

	add(k, &k->totals.free, order);
	/* of a piece that was split, parts are freed, which nobody had asked for */
	if (!p || !p->live || p->page->kind.order != order) {
		add(k, &k->totals.free_only, order);
		return;
	}
	add(k, &k->totals.freed, order);
	forget(k, p);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct kmem_page *k = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct ev *ev = s->event ? per_event(&k->events, s->event) : NULL;

		if (!ev || ev->step == STEP_NONE)
			continue;
		if (!ev->complete || !s->raw.len ||
		    tp_read_u64(ev->order, s->raw, k->swap) >= KMEM_N_ORDERS)
			k->totals.n_bad++;
		else if (ev->step == STEP_ALLOC)
			on_alloc(k, ev, s, tp_read_u64(ev->pfn, s->raw, k->swap));
		else
			on_free(k, ev, s, tp_read_u64(ev->pfn, s->raw, k->swap));
	}
}

static enum step step_of(const struct event *e)
{
	return event_is_tracepoint(e, "kmem", "mm_page_alloc") ? STEP_ALLOC :
		event_is_tracepoint(e, "kmem", "mm_page_free") ? STEP_FREE : STEP_NONE;
}

static void ev_init(void *ctx UNUSED, const struct event *e, void *state)
{
	struct ev *ev = state;

	*ev = (struct ev){ .step = step_of(e), .format = e->format };
	if (!e->format || ev->step == STEP_NONE)
		return;
	ev->pfn = tp_field(e->format, "pfn");
	ev->order = tp_field(e->format, "order");
	ev->gfp = tp_field(e->format, "gfp_flags");
	ev->migrate_type = tp_field(e->format, "migratetype");
	ev->complete = ev->pfn && ev->order &&
		(ev->step == STEP_FREE || (ev->gfp && ev->migrate_type));
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct kmem_page *k = sink->ctx;

	return ((const struct ev *)per_event(&k->events, e))->step != STEP_NONE;
}

struct kmem_page *kmem_page_new(const struct kmem_page_opts *opts, const struct event_list *events,
				bool swap, struct machine *machine)
{
	struct kmem_page *k = xnew(struct kmem_page);

	k->opts = *opts;
	k->swap = swap;
	k->machine = machine;
	per_event_init(&k->events, sizeof(struct ev), ev_init, k);
	per_event_fill(&k->events, events);
	k->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD, .ctx = k,
				 .samples = on_samples, .takes = takes };
	return k;
}

static void rows_release(struct rows *r)
{
	hmap_release(&r->by_kind);
	vec_free(&r->all);
}

void kmem_page_free(struct kmem_page *k)
{
	if (!k)
		return;
	per_event_release(&k->events);
	rows_release(&k->callers);
	rows_release(&k->pages);
	hmap_release(&k->pieces);
	hmap_release(&k->code);
	hmap_release(&k->gfp);
	vec_free(&k->all_gfp);
	arena_release(&k->arena);
	free(k);
}

struct sink *kmem_page_sink(struct kmem_page *k) { return &k->sink; }

const struct kmem_page_totals *kmem_page_totals(const struct kmem_page *k) { return &k->totals; }

/* --- tables */

static u64 value(const struct row *r, enum kmem_key key)
{
	switch (key) {
	case KMEM_BYTES: return r->bytes;
	case KMEM_HIT: return r->hits;
	case KMEM_CALLSITE: return r->caller;
	case KMEM_PAGE: return r->kind.where;
	case KMEM_ORDER: return r->kind.order;
	case KMEM_MIGTYPE: return r->kind.migrate_type;
	case KMEM_GFP: return r->kind.gfp;
	default: return 0;
	}
}

/* The largest first; among equals the one that was there first. */
static int compare(const void *a, const void *b, void *sort)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	const struct kmem_sort *s = sort;

	for (int i = 0; i < s->n; i++) {
		const u64 v = value(x, s->keys[i]), w = value(y, s->keys[i]);

		if (v != w)
			return v > w ? -1 : 1;
	}
	if (x->t_ns != y->t_ns)
		return x->t_ns < y->t_ns ? -1 : 1;
	return memcmp(&x->kind, &y->kind, sizeof(x->kind));
}

static const char *type_name(u32 type)
{
	static const char *const types[] = { "UNMOVABL", "RECLAIM", "MOVABLE", "RESERVED",
					     "CMA/ISLT", "UNKNOWN" };

	return types[column_of(type)];
}

static void add_row(struct kmem_page *k, const struct row *r, bool pages, struct table *t)
{
	struct cell *cell = table_add_row(t)->cells;
	const struct symbol *sym = NULL;
	u64 offset;

	if (r->caller)
		sym = kernel_symbol(k->machine, r->caller, r->t_ns, &offset);
	if (pages)
		*cell++ = cell_count(r->kind.where);
	*cell++ = r->caller ? cell_addr(r->caller) : (struct cell){ .kind = CELL_NONE };
	*cell++ = cell_text(sym ? sym->name : NULL);
	*cell++ = cell_bytes(r->bytes);
	*cell++ = cell_count(r->hits);
	*cell++ = cell_count(r->kind.order);
	*cell++ = cell_text(type_name(r->kind.migrate_type));
	*cell++ = cell_text(r->gfp->text);
	*cell++ = cell_text(r->gfp->brief);
}

static void add_rows(struct kmem_page *k, row_vec *all, bool pages, struct table *t)
{
	static const char *const common[] = { "address", "function", "bytes", "hits", "order",
					      "migrate_type", "gfp_flags", "gfp" };

	t->key = pages ? "pages" : "page_callers";
	if (pages)
		table_add_column(t, "pfn", "PFN");
	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		table_add_column(t, common[i], common[i]);
	if (all->n)
		qsort_r(all->v, all->n, sizeof(*all->v), compare,
			pages ? &k->opts.pages : &k->opts.callers);
	for vec_each(at, all)
		if ((*at)->hits)
			add_row(k, *at, pages, t);
}

static int compare_gfp(const void *a, const void *b)
{
	const struct gfp *x = *(struct gfp *const *)a, *y = *(struct gfp *const *)b;

	return (x->flags > y->flags) - (x->flags < y->flags);
}

void kmem_page_tables(struct kmem_page *k, struct kmem_page_tables *out)
{
	struct table *t = &out->gfp;

	add_rows(k, &k->callers.all, false, &out->callers);
	add_rows(k, &k->pages.all, true, &out->pages);
	t->key = "gfp";
	table_add_column(t, "value", "value");
	table_add_column(t, "gfp", "gfp");
	table_add_column(t, "gfp_flags", "gfp_flags");
	if (k->all_gfp.n)
		qsort(k->all_gfp.v, k->all_gfp.n, sizeof(*k->all_gfp.v), compare_gfp);
	for vec_each(at, &k->all_gfp) {
		struct cell *cell = table_add_row(t)->cells;

		cell[0] = cell_count((*at)->flags);
		cell[1] = cell_text((*at)->brief);
		cell[2] = cell_text((*at)->text);
	}
}

void kmem_page_tables_release(struct kmem_page_tables *t)
{
	table_release(&t->callers);
	table_release(&t->pages);
	table_release(&t->gfp);
}

int kmem_page_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = {
		"of the page allocator", "no events of the page allocator",
		"perf kmem --page record" };

	for vec_each(e, &events->events)
		if (step_of(*e) == STEP_ALLOC)
			return 0;
	return events_missing(events, path, &needed, err);
}
