// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/futex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/futex-priv.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/wire/sample.h"

/* --- what a futex is */

/* Functions of C libraries, without underscores before them. */
static const struct { const char *begin, *type; } functions[] = {
	{ "pthread_cond_", "condition" }, { "pthread_rwlock_", "rwlock" },
	{ "pthread_barrier_", "barrier" }, { "sem_", "semaphore" }, { "new_sem_", "semaphore" },
	{ "pthread_join", "join" }, { "pthread_timedjoin", "join" },
	{ "pthread_clockjoin", "join" }, { "pthread_tryjoin", "join" },
	{ "pthread_once", "once" }, { "cnd_", "condition" },
};
static const char *const kinds[] = {
	[FUTEXREC_OTHER] = "futex", [FUTEXREC_MUTEX] = "mutex", [FUTEXREC_PI] = "pi-mutex",
};
static const char type_names[] =
	"mutex, pi-mutex, condition, rwlock, barrier, semaphore, join, once, futex";
enum { LIBRARY_FRAMES = 6 };	/* at most, that lie between the call and the function's name */

static const char *type_of_function(const char *name)
{
	name += strspn(name, "_");
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (str_has_prefix(name, functions[i].begin))
			return functions[i].type;
	return NULL;
}

static const char *type_of_stack(const struct resolved *r)
{
	const char *type = NULL;

	for (u32 i = 0; i < r->n_frames && i < LIBRARY_FRAMES && !type; i++)
		if (r->frames[i].sym)
			type = type_of_function(r->frames[i].sym->name);
	return type;
}

const char *futex_type(const struct futex_row *r)
{
	return r->type && r->kind == FUTEXREC_OTHER ? r->type : kinds[r->kind];
}

static bool is_type(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strcmp(functions[i].type, name))
			return true;
	return word_index(kinds, ARRAY_SIZE(kinds), name, strlen(name)) >= 0;
}

/* --- rows */

static u64 key_of_row(const struct futex_model *m, const struct futexrec_key *k)
{
	const u64 h = hash_u64((u64)k->tgid + 1);

	return m->opts.by == FUTEXREC_BY_LOCK ? hash_u64(h ^ k->addr) : hash_u64(h ^ k->tid);
}

static void name_lock(struct futex_model *m, struct futex_row *row, const struct location *data)
{
	struct str s = STR_INIT;

	if (data->dso)
		row->dso = data->dso->short_name;
	if (!data->sym)
		return;
	str_add(&s, data->sym->name);
	if (data->rva != data->sym->start_rva)
		str_addf(&s, "+0x%llx", (unsigned long long)(data->rva - data->sym->start_rva));
	row->symbol = arena_strdup(&m->arena, str_cstr(&s));
	str_release(&s);
}

struct futex_row *futex_row(struct futex_model *m, const struct futexrec_key *k,
			    const struct location *data)
{
	const u64 key = key_of_row(m, k);
	struct futex_row *row = hmap_get(&m->by_key, key);

	if (row)
		return row;
	row = arena_alloc(&m->arena, sizeof(*row));
	row->min_ns = UINT64_MAX;
	row->order = m->rows.n;
	row->pid = k->tgid;
	row->tid = k->tid;
	row->addr = k->addr;
	if (m->opts.by == FUTEXREC_BY_LOCK && data)
		name_lock(m, row, data);
	hmap_put(&m->by_key, key, row);
	vec_push(&m->rows, row);
	return row;
}

static u32 depth_of(const struct futex_model *m, const struct resolved *r)
{
	return m->opts.max_stack > 0 ? MIN(r->n_frames, (u32)m->opts.max_stack) : r->n_frames;
}

static u64 key_of_part(u64 row, u32 side, u32 tid, const struct resolved *r, u32 depth)
{
	u64 h = hash_u64(hash_u64(row + 1) ^ ((u64)tid << 2 | side));

	for (u32 i = 0; i < depth; i++)
		h = hash_u64(h ^ r->frames[i].va);
	return h;
}

struct futex_part *futex_part(struct futex_model *m, struct futex_row *row, u32 side, u32 tid,
			      const struct resolved *res)
{
	const u32 depth = depth_of(m, res);
	const u64 key = key_of_part(row->order, side, tid, res, depth);
	struct futex_part *p = hmap_get(&m->parts, key);

	if (p)
		return p;
	p = arena_alloc(&m->arena, sizeof(*p));
	p->side = side;
	p->tid = tid;
	p->comm = tid && res->comm ? res->comm->name : NULL;
	p->n_frames = depth;
	p->frames = arena_dup(&m->arena, res->frames, depth * sizeof(*p->frames));
	p->next = row->parts;
	row->parts = p;
	row->n_parts++;
	hmap_put(&m->parts, key, p);
	return p;
}

void futex_note(struct futex_row *row, const struct resolved *res, u32 kind)
{
	row->kind = MAX(row->kind, kind);
	if (!row->comm && res->comm)
		row->comm = res->comm->name;
	if (!row->type)
		row->type = type_of_stack(res);
}

static void add_sum(struct futex_model *m, struct futex_row *row, const struct futexrec *r,
		    const struct sink_item *item)
{
	const enum futexrec_side side = m->opts.by == FUTEXREC_BY_HOLDER ? FUTEXREC_HOLDER :
		FUTEXREC_WAITER;
	struct futex_part *p = futex_part(m, row, r->key.side, r->key.tid, item->res);

	p->n += r->sum.n;
	p->total_ns += r->sum.total_ns;
	p->max_ns = MAX(p->max_ns, r->sum.max_ns);
	if (r->key.side != side)
		return;
	m->stats.n_waits += r->sum.n;
	row->n += r->sum.n;
	row->total_ns += r->sum.total_ns;
	row->max_ns = MAX(row->max_ns, r->sum.max_ns);
	row->min_ns = MIN(row->min_ns, r->sum.min_ns);
	row->n_timeouts += r->sum.n_timeouts;
	futex_note(row, item->res, r->key.kind);
}

static void add_times(struct futex_row *row, struct span steps)
{
	for (size_t i = 0; i < NS_HIST_STEPS && (i + 1) * sizeof(u32) <= steps.len; i++) {
		u32 n;

		memcpy(&n, steps.ptr + i * sizeof(n), sizeof(n));
		row->hist.n[i] += n;
	}
}

static void take(struct futex_model *m, const struct sink_item *item)
{
	const struct span raw = item->sample->raw;
	const bool by_thread = m->opts.by != FUTEXREC_BY_LOCK;
	struct futex_row *row;
	struct futexrec r;

	if (raw.len < sizeof(r)) {
		m->stats.n_bad++;
		return;
	}
	memcpy(&r, raw.ptr, sizeof(r));
	/* rows of threads are made by their own sums */
	if (by_thread && r.key.side == (m->opts.by == FUTEXREC_BY_WAITER ? FUTEXREC_HOLDER :
					FUTEXREC_WAITER))
		return;
	row = futex_row(m, &r.key, &item->res->data);
	if (r.key.side == FUTEXREC_TIMES)
		add_times(row, (struct span){ raw.ptr + sizeof(r), raw.len - sizeof(r) });
	else
		add_sum(m, row, &r, item);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct event *e = items[i].sample->event;

		if (e && !futex_event(sink->ctx, &items[i]) && e->name &&
		    !strcmp(e->name, FUTEX_SUMS_EVENT))
			take(sink->ctx, &items[i]);
	}
}

/* --- life */

static int set_filters(struct futex_model *m, const struct futex_opts *o, struct err *err)
{
	words_split(o->types, &m->types);
	words_split(o->locks, &m->locks);
	if ((o->types && !m->types.n) || (o->locks && !m->locks.n))
		return err_set(err, EINVAL, "the list of %s is empty", o->types && !m->types.n ?
			       "types of locks" : "locks");
	for vec_each(name, &m->types)
		if (!is_type(*name)) {
			err_set(err, EINVAL, "'%s' is not a type of lock", *name);
			err_hint(err, "the types are: %s", type_names);
			return -EINVAL;
		}
	return 0;
}

struct futex_model *futex_new(const struct futex_opts *opts, bool swap, struct err *err)
{
	struct futex_model *m = xnew(struct futex_model);

	m->opts = *opts;
	m->swap = swap;
	futex_events_init(m);
	m->sink = (struct sink){
		.wants = SINK_ORDER | SINK_SYMBOLS | SINK_CHAIN | SINK_ADDR | SINK_THREAD,
		.ctx = m, .samples = on_samples,
	};
	if (!set_filters(m, opts, err))
		return m;
	futex_free(m);
	return NULL;
}

void futex_free(struct futex_model *m)
{
	if (!m)
		return;
	words_release(&m->types);
	words_release(&m->locks);
	futex_events_release(m);
	hmap_release(&m->by_key);
	hmap_release(&m->parts);
	vec_free(&m->rows);
	arena_release(&m->arena);
	free(m);
}

struct sink *futex_sink(struct futex_model *m) { return &m->sink; }
const struct futex_stats *futex_get_stats(const struct futex_model *m) { return &m->stats; }
