// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/page-cache.h"

#include <stdlib.h>
#include <string.h>

#include "util/analysis/hist/cct.h"
#include "util/analysis/missing-events.h"
#include "util/analysis/sort-keys.h"
#include "util/base/arena.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

enum what { WHAT_NONE, ADDED, REMOVED, DIRTIED, WRITTEN, THROTTLED, WHAT_N };
static const struct { const char *key, *title; } columns[WHAT_N] = {
	[ADDED] = { "added", "Added" }, [REMOVED] = { "removed", "Removed" },
	[DIRTIED] = { "dirtied", "Dirtied" }, [WRITTEN] = { "written", "Written" },
	[THROTTLED] = { "throttled_ns", "Throttled (s)" },
};

enum key { KEY_COMM, KEY_PID, KEY_TID, KEY_DEVICE, KEY_INODE, KEY_N };
static const char *const key_names[KEY_N] = { "comm", "pid", "tid", "device", "inode" };
static const char *const key_titles[KEY_N] = { "Command", "Pid", "Tid", "Device", "Inode" };

/* order: of pages, a power of two; count: the field with how much it was; NULL: once */
struct ev {
	enum what what;
	const struct tp_field *dev, *disk, *inode, *order, *count;
};

struct cache_row { u64 n[WHAT_N]; };

struct page_cache {
	struct page_cache_opts opts;
	int keys[KEY_N];			/* enum key */
	int n_keys;
	struct sink sink;
	bool swap;
	u64 n_bad;
	struct per_event events;	/* struct ev */
	struct intern *names;
	struct idset row_ids;		/* a word for each of enum key, 0: no key */
	VEC(struct cache_row) rows;
	struct cache_row all;
};

/* ---- events ---- */

const char *const page_cache_events[] = {
	"filemap:mm_filemap_add_to_page_cache", "filemap:mm_filemap_delete_from_page_cache",
	"writeback:writeback_dirty_folio", "writeback:writeback_dirty_page",
	"writeback:writeback_single_inode", "writeback:balance_dirty_pages", NULL
};

static const struct known { enum what what; const char *count; } known[] = {
	{ ADDED, NULL }, { REMOVED, NULL }, { DIRTIED, NULL }, { DIRTIED, NULL },
	{ WRITTEN, "wrote" }, { THROTTLED, "pause" },
};

/* name: "system:name" */
static bool is_called(const struct event *e, const char *name)
{
	const size_t n = strcspn(name, ":");

	return e->tp_system && e->tp_name && !strncmp(e->tp_system, name, n) &&
		!e->tp_system[n] && !strcmp(e->tp_name, name + n + 1);
}

static const struct known *find_known(const struct event *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (is_called(e, page_cache_events[i]))
			return &known[i];
	return NULL;
}

static const struct tp_field *either(const struct event *e, const char *a, const char *b)
{
	const struct tp_field *f = tp_field(e->format, a);

	return f ? f : tp_field(e->format, b);
}

static void ev_init(void *ctx UNUSED, const struct event *e, void *state)
{
	const struct known *k = e->format ? find_known(e) : NULL;
	struct ev *ev = state;

	*ev = (struct ev){ .what = WHAT_NONE };
	if (!k)
		return;
	ev->what = k->what;
	ev->dev = tp_field(e->format, "s_dev");
	ev->disk = either(e, "name", "bdi");
	ev->inode = either(e, "i_ino", "ino");
	ev->order = tp_field(e->format, "order");
	ev->count = k->count ? tp_field(e->format, k->count) : NULL;
	if ((k->count && !ev->count) || (!ev->dev && !ev->disk))
		ev->what = WHAT_N;
}

static u64 how_much(const struct page_cache *p, const struct ev *ev, struct span raw)
{
	const u64 n = ev->count ? tp_read_u64(ev->count, raw, p->swap) : 1;

	switch (ev->what) {
	case ADDED:
	case REMOVED:
		return p->opts.page_bytes <<
			(ev->order ? tp_read_u64(ev->order, raw, p->swap) & 31 : 0);
	case WRITTEN:
		return n * p->opts.page_bytes;
	case THROTTLED:			/* in ms; below 0: not at all */
		return (s64)n > 0 ? n * 1000000 : 0;
	default:
		return n;
	}
}

/* Devices by their names: "8:16". */
static const char *device_of(struct page_cache *p, const struct ev *ev, struct span raw)
{
	struct str text = STR_INIT;
	const char *name;
	size_t n = 0;

	if (ev->dev) {
		tp_add_dev(&text, (u32)tp_read_u64(ev->dev, raw, p->swap));
	} else {
		name = tp_read_str(ev->disk, raw, p->swap, &n);
		str_addn(&text, name ? name : "", name ? n : 0);
	}
	name = intern_str(p->names, str_cstr(&text));
	str_release(&text);
	return name;
}

static u64 word_of(struct page_cache *p, enum key key, const struct ev *ev,
		   const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const char *comm = it->res->comm ? it->res->comm->name : "";

	switch (key) {
	case KEY_COMM: return (uintptr_t)intern_str(p->names, comm);
	case KEY_PID: return it->res->thread ? it->res->thread->pid : s->pid;
	case KEY_TID: return s->tid;
	case KEY_DEVICE: return (uintptr_t)device_of(p, ev, s->raw);
	case KEY_INODE: return ev->inode ? tp_read_u64(ev->inode, s->raw, p->swap) : 0;
	case KEY_N: break;
	}
	return 0;
}

static void count(struct page_cache *p, const struct ev *ev, const struct sink_item *it)
{
	const u64 n = how_much(p, ev, it->sample->raw);
	u64 words[KEY_N] = { 0 };
	u32 id;

	for (int i = 0; i < p->n_keys; i++)
		words[p->keys[i]] = word_of(p, p->keys[i], ev, it);
	id = idset_get(&p->row_ids, words);
	if (id == p->rows.n)
		vec_push(&p->rows, (struct cache_row){ .n = { 0 } });
	p->rows.v[id].n[ev->what] += n;
	p->all.n[ev->what] += n;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct page_cache *p = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct event *e = items[i].sample->event;
		const struct ev *ev = e ? per_event(&p->events, e) : NULL;

		if (!ev || ev->what == WHAT_NONE)
			continue;
		if (ev->what == WHAT_N || !items[i].sample->raw.len)
			p->n_bad++;
		else
			count(p, ev, &items[i]);
	}
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct page_cache *p = sink->ctx;

	return ((const struct ev *)per_event(&p->events, e))->what != WHAT_NONE;
}

/* ---- its life ---- */

struct page_cache *page_cache_new(const struct page_cache_opts *opts,
				  const struct event_list *events, bool swap, struct err *err)
{
	struct page_cache *p = xnew(struct page_cache);

	p->opts = *opts;
	p->swap = swap;
	p->names = intern_new();
	idset_init(&p->row_ids, KEY_N);
	per_event_init(&p->events, sizeof(struct ev), ev_init, p);
	per_event_fill(&p->events, events);
	p->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD, .ctx = p,
				 .samples = on_samples, .takes = takes };
	p->n_keys = sort_keys_parse(opts->keys ? opts->keys : "comm,device", key_names,
				    KEY_N, p->keys, err);
	if (p->n_keys >= 0)
		return p;
	page_cache_free(p);
	return NULL;
}

void page_cache_free(struct page_cache *p)
{
	if (!p)
		return;
	idset_release(&p->row_ids);
	per_event_release(&p->events);
	intern_free(p->names);
	vec_free(&p->rows);
	free(p);
}

struct sink *page_cache_sink(struct page_cache *p) { return &p->sink; }

u64 page_cache_n_bad(const struct page_cache *p) { return p->n_bad; }

int page_cache_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = { "of the page cache",
						     "no events of the page cache",
						     "perf io record --cache" };

	for vec_each(e, &events->events)
		if (find_known(*e))
			return 0;
	return events_missing(events, path, &needed, err);
}

/* ---- tables ---- */

static void add_counts(struct table *t)
{
	for (enum what w = ADDED; w < WHAT_N; w++) {
		struct column *c = table_add_column(t, columns[w].key, columns[w].title);

		c->right = true;
		c->form = w == DIRTIED || w == THROTTLED ? 0 : COL_BINARY_UNITS;
	}
}

static struct cell *fill_counts(const struct cache_row *row, struct cell *cell)
{
	for (enum what w = ADDED; w < WHAT_N; w++)
		*cell++ = w == DIRTIED ? cell_count(row->n[w]) :
			w == THROTTLED ? cell_ns(row->n[w]) : cell_bytes(row->n[w]);
	return cell;
}

static int cmp_rows(const void *a, const void *b, void *ctx)
{
	const struct page_cache *p = ctx;
	const u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const u64 *v = p->rows.v[x].n, *w = p->rows.v[y].n;
	const u64 left = v[ADDED] + v[WRITTEN], right = w[ADDED] + w[WRITTEN];

	return left != right ? (left > right ? -1 : 1) : (x > y) - (x < y);
}

static void add_row(const struct page_cache *p, u32 id, struct table *t)
{
	const u64 *words = idset_at(&p->row_ids, id);
	struct cell *cell = fill_counts(&p->rows.v[id], table_add_row(t)->cells);

	for (int i = 0; i < p->n_keys; i++) {
		const enum key k = p->keys[i];

		*cell++ = k == KEY_COMM || k == KEY_DEVICE ?
			cell_text((const char *)(uintptr_t)words[k]) :
			k == KEY_INODE ? cell_count(words[k]) : cell_int((s32)words[k]);
	}
}

void page_cache_tables(struct page_cache *p, struct page_cache_tables *out)
{
	u32 *order = xcalloc(p->rows.n + 1, sizeof(*order));

	out->facts.key = "facts";
	out->rows.key = "rows";
	add_counts(&out->facts);
	add_counts(&out->rows);
	fill_counts(&p->all, table_add_row(&out->facts)->cells);
	for (int i = 0; i < p->n_keys; i++) {
		const enum key k = p->keys[i];
		struct column *c = table_add_column(&out->rows, key_names[k], key_titles[k]);

		c->right = k != KEY_COMM && k != KEY_DEVICE;
		c->trim = true;
	}
	for (size_t i = 0; i < p->rows.n; i++)
		order[i] = (u32)i;
	qsort_r(order, p->rows.n, sizeof(*order), cmp_rows, p);
	for (size_t i = 0; i < p->rows.n; i++)
		add_row(p, order[i], &out->rows);
	free(order);
}

void page_cache_tables_release(struct page_cache_tables *t)
{
	table_release(&t->facts);
	table_release(&t->rows);
}
