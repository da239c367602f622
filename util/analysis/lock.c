// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/lock-priv.h"
#include "util/analysis/missing-events.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"
#include "util/wire/lockrec.h"
#include "util/wire/sample.h"

/* One kind a line: the most specific first. */
static const struct lock_type types[] = {
	{ "pcpu-sem:R", "pcpu-sem", LCB_PERCPU | LCB_READ },
	{ "pcpu-sem:W", "pcpu-sem", LCB_PERCPU | LCB_WRITE },
	{ "pcpu-sem", "pcpu-sem", LCB_PERCPU },
	{ "mutex", "mutex", LCB_MUTEX },
	{ "rwlock:R", "rwlock", LCB_SPIN | LCB_READ },
	{ "rwlock:W", "rwlock", LCB_SPIN | LCB_WRITE },
	{ "spinlock", "spinlock", LCB_SPIN },
	{ "rt-mutex", "rt-mutex", LCB_RT },
	{ "rwsem:R", "rwsem", LCB_READ },
	{ "rwsem:W", "rwsem", LCB_WRITE },
	{ "semaphore", "semaphore", 0 },
};

/* As other versions of perf name them, too. */
static const struct { const char *name, *is; } aliases[] = {
	{ "rtmutex", "rt-mutex" }, { "rwlock-rt", "rt-mutex" }, { "rwlock-rt:R", "rt-mutex" },
	{ "rwlock-rt:W", "rt-mutex" }, { "percpu-rwmem", "pcpu-sem" },
};

static const char type_names[] =
	"\tspinlock, rwlock, rwlock:R, rwlock:W, mutex, rt-mutex, rwsem, rwsem:R, rwsem:W,\n"
	"\tpcpu-sem, pcpu-sem:R, pcpu-sem:W, semaphore";

static const struct lock_type *type_of(u32 flags)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(types) && (flags & types[i].flags) != types[i].flags)
		i++;
	return &types[i];
}

/* --- the filters */

static int add_type(const char *name, u32 *set, struct err *err)
{
	const char *is = name;
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].name, name))
			is = aliases[i].is;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, is) || !strcmp(types[i].family, is)) {
			*set |= 1U << i;
			known = true;
		}
	if (known)
		return 0;
	err_set(err, EINVAL, "'%s' is not a type of lock", name);
	err_hint(err, "the types are:\n%s", type_names);
	return -EINVAL;
}

/* set: a bit for each of types[]; 0: all. */
static int set_types(const char *list, u32 *set, struct err *err)
{
	word_list names = { 0 };
	int ret = 0;

	*set = 0;
	words_split(list, &names);
	for (size_t i = 0; i < names.n && !ret; i++)
		ret = add_type(names.v[i], set, err);
	if (!ret && list && !names.n)
		ret = err_set(err, EINVAL, "the list of types of locks is empty");
	words_release(&names);
	return ret;
}

int lock_types_mask(const char *list, u64 *mask, struct err *err)
{
	u32 set;
	const int ret = set_types(list, &set, err);

	*mask = 0;
	for (u32 flags = 0; flags < 64 && !ret; flags++)
		if (!set || set >> (type_of(flags) - types) & 1)
			*mask |= 1ULL << flags;
	return ret;
}

static int set_filters(struct lock_model *l, const struct lock_opts *o, struct err *err)
{
	int ret = set_types(o->types, &l->types, err);

	words_split(o->locks, &l->locks);
	words_split(o->callers, &l->callers);
	if (!ret && ((o->locks && !l->locks.n) || (o->callers && !l->callers.n)))
		ret = err_set(err, EINVAL, "the list of %s is empty", o->locks && !l->locks.n ?
			      "locks" : "functions");
	return ret;
}

/* --- what the kernel's symbols say */

static void note_kernel(struct lock_model *l, struct dso *dso)
{
	if (!l->kernel && dso && dso->kind == DSO_KERNEL)
		l->kernel = dso;
}

static bool is_lock_function(const struct lock_model *l, const struct location *f)
{
	return f->dso && f->dso == l->kernel && dso_is_lock_code(f->dso, f->rva);
}

static bool is_tracing(const struct location *f)
{
	static const char *const names[] = {
		"__traceiter_contention_begin", "trace_contention_begin", "bpf_trace_run2",
		"__bpf_trace_contention_begin",
	};

	for (size_t i = 0; f->sym && i < ARRAY_SIZE(names); i++)
		if (!strcmp(f->sym->name, names[i]))
			return true;
	return false;
}

/* Without CONFIG_KALLSYMS_ALL the names of most data are missing, and the one before an address
 * may be far away: no lock is in a larger object. */
#define MOST_OBJECT_BYTES 65536

static const char *name_of_lock(const struct lock_model *l, u64 addr)
{
	const struct symbol *sym = l->kernel ? dso_find(l->kernel, addr) : NULL;

	return sym && addr - sym->start_rva < MOST_OBJECT_BYTES ? sym->name : NULL;
}

/* --- rows */

enum { LOCK_TRACING_FRAMES = 8 };	/* that a program and its callers take at most */

/* A part of a call chain. */
struct span_of_frames { u32 from, to; };

/* Chains that BPF programs took begin with the program, and what called it. */
static u32 after_tracing(const struct resolved *res)
{
	u32 n = 0;

	for (u32 i = 0; i < res->n_frames && i < LOCK_TRACING_FRAMES; i++)
		if (is_tracing(&res->frames[i]))
			n = i + 1;
	return n;
}

/* From the caller on. */
static struct span_of_frames frames_of(const struct lock_model *l, const struct resolved *res)
{
	const u32 skip = (u32)MAX(l->opts.stack_skip, 0), start = after_tracing(res);
	struct span_of_frames s = { MIN(start + skip, res->n_frames), res->n_frames };

	while (s.from < res->n_frames && is_lock_function(l, &res->frames[s.from]))
		s.from++;
	if (l->opts.max_stack > 0)
		s.to = MIN(s.to, start + (u32)l->opts.max_stack);
	return s;
}

static void note_stack(struct lock_model *l, struct lock_row *row, const struct resolved *res,
		       struct span_of_frames s)
{
	row->n_frames = s.to > s.from ? s.to - s.from : 0;
	row->frames = arena_alloc(&l->arena, row->n_frames * sizeof(*row->frames));
	for (u32 i = 0; i < row->n_frames; i++)
		row->frames[i] = res->frames[s.from + i];
}

static struct lock_row *find_row(struct lock_model *l, u64 key, bool *is_new)
{
	struct lock_row *row = hmap_get(&l->by_key, key);

	*is_new = !row;
	if (row)
		return row;
	row = arena_alloc(&l->arena, sizeof(*row));
	memset(row, 0, sizeof(*row));
	row->min_ns = UINT64_MAX;
	row->order = l->rows.n;
	if (l->opts.percentiles) {
		row->hist = arena_alloc(&l->arena, sizeof(*row->hist));
		memset(row->hist, 0, sizeof(*row->hist));
	}
	hmap_put(&l->by_key, key, row);
	vec_push(&l->rows, row);
	return row;
}

static u64 key_of_stack(const struct resolved *res, struct span_of_frames s,
			const struct lock_type *type)
{
	u64 h = hash_u64((u64)(type - types) + 1);

	for (u32 i = s.from; i < s.to; i++)
		h = hash_u64(h ^ res->frames[i].va);
	return h;
}

static struct lock_row *row_of_caller(struct lock_model *l, const struct sink_item *item,
				      const struct lock_type *type)
{
	const struct span_of_frames s = frames_of(l, item->res);
	bool is_new;
	struct lock_row *row = find_row(l, key_of_stack(item->res, s, type), &is_new);

	if (is_new)
		note_stack(l, row, item->res, s);
	return row;
}

/* Of one that lies in no object with a name. NULL: nothing is known. */
static const char *known_name(const struct lock_what *w)
{
	static const char *const names[] = { [LOCKREC_MMAP_LOCK] = "mmap_lock",
					     [LOCKREC_SIGLOCK] = "siglock" };

	return w->known < ARRAY_SIZE(names) ? names[w->known] : NULL;
}

static struct lock_row *row_of_lock(struct lock_model *l, const struct lock_what *w)
{
	const char *name = name_of_lock(l, w->addr);
	const u64 key = l->opts.combine && name ? hash_str(name) : hash_u64(w->addr);
	bool is_new;
	struct lock_row *row = find_row(l, key, &is_new);

	if (is_new) {
		row->addr = w->addr;
		row->name = name;
	}
	if (!row->name)
		row->name = known_name(w);
	return row;
}

static struct lock_row *row_of_cgroup(struct lock_model *l, u64 id)
{
	bool is_new;
	struct lock_row *row = find_row(l, hash_u64(id), &is_new);
	char *path = is_new && l->opts.cgroup ? l->opts.cgroup(l->opts.ctx, id) : NULL;

	row->cgroup = id;
	if (path)
		row->name = arena_strdup(&l->arena, path);
	free(path);
	return row;
}

static struct lock_row *row_of(struct lock_model *l, const struct sink_item *item,
			       const struct lock_what *w)
{
	struct lock_row *row = NULL;
	bool is_new;

	switch (l->opts.by) {
	case LOCK_BY_CALLER: row = row_of_caller(l, item, w->type); break;
	case LOCK_BY_LOCK: row = row_of_lock(l, w); break;
	case LOCK_BY_CGROUP: row = row_of_cgroup(l, w->cgroup); break;
	case LOCK_BY_TASK:
	case LOCK_BY_OWNER: row = find_row(l, hash_u64(w->tid), &is_new); break;
	}
	row->tid = w->tid;
	row->comm = w->comm;
	if (!row->type)
		row->type = w->type;
	return row;
}

static bool lock_matches(const struct lock_model *l, const char *text, const struct lock_what *w)
{
	const char *name = name_of_lock(l, w->addr);
	u64 wanted;

	name = name ? name : known_name(w);
	return (name && !strcmp(name, text)) || (parse_hex(text, &wanted) && wanted == w->addr);
}

static bool caller_matches(const struct resolved *res, const char *text)
{
	for (u32 i = 0; i < res->n_frames; i++)
		if (res->frames[i].sym && strstr(res->frames[i].sym->name, text))
			return true;
	return false;
}

static bool is_wanted(const struct lock_model *l, const struct sink_item *item,
		      const struct lock_what *w)
{
	bool lock = !l->locks.n, caller = !l->callers.n;

	if (l->types && !(l->types >> (w->type - types) & 1))
		return false;
	for (size_t i = 0; i < l->locks.n && !lock; i++)
		lock = lock_matches(l, l->locks.v[i], w);
	for (size_t i = 0; i < l->callers.n && !caller; i++)
		caller = caller_matches(item->res, l->callers.v[i]);
	return lock && caller;
}

/* --- events */

/* The idle tasks of all CPUs have one number. */
static u64 key_of_wait(const struct sample *s, u64 addr)
{
	return hash_u64(addr) ^ hash_u64(s->tid ? s->tid : 1ULL << 63 | s->cpu);
}

static void begins(struct lock_model *l, const struct sink_item *item, u64 addr, u32 flags)
{
	const struct lock_what what = {
		.type = type_of(flags), .addr = addr, .tid = item->sample->tid,
		.comm = item->res->comm ? item->res->comm->name : NULL,
	};
	const u64 key = key_of_wait(item->sample, addr);
	struct lock_wait *w = hmap_get(&l->waits, key);

	if (w && w->type == what.type)
		return;		/* a mutex that stops spinning and goes to sleep */
	if (w)
		l->stats.n_unended++;
	if (!w) {
		w = l->spare ? l->spare : arena_alloc(&l->arena, sizeof(*w));
		l->spare = w == l->spare ? w->next : l->spare;
		hmap_put(&l->waits, key, w);
	}
	note_kernel(l, item->res->leaf.dso);
	*w = (struct lock_wait){ .type = what.type, .start_ns = item->sample->time_ns };
	if (is_wanted(l, item, &what))
		w->row = row_of(l, item, &what);
}

static void add_sum(struct lock_model *l, const struct sink_item *item)
{
	const struct span raw = item->sample->raw;
	struct lockrec r;
	struct ns_hist times;
	struct lock_what what;
	struct lock_row *row;

	if (raw.len < sizeof(r)) {
		l->stats.n_bad++;
		return;
	}
	memcpy(&r, raw.ptr, sizeof(r));
	note_kernel(l, item->res->leaf.dso);
	what = (struct lock_what){ .type = type_of(r.key.flags), .addr = r.key.addr,
				   .cgroup = r.key.cgroup, .tid = r.key.tid, .known = r.sum.known };
	if (!is_wanted(l, item, &what))
		return;
	what.comm = *r.sum.comm ? arena_strndup(&l->arena, r.sum.comm, sizeof(r.sum.comm)) : NULL;
	row = row_of(l, item, &what);
	l->stats.n_waits += r.sum.n;
	row->n += r.sum.n;
	row->total_ns += r.sum.total_ns;
	row->max_ns = MAX(row->max_ns, r.sum.max_ns);
	row->min_ns = MIN(row->min_ns, r.sum.min_ns);
	if (row->hist && raw.len >= sizeof(r) + sizeof(times)) {
		memcpy(&times, raw.ptr + sizeof(r), sizeof(times));
		ns_hist_merge(row->hist, &times);
	}
}

static void ends(struct lock_model *l, const struct sample *s, u64 addr)
{
	struct lock_wait *w = hmap_del(&l->waits, key_of_wait(s, addr));
	struct lock_row *row;
	u64 ns;

	if (!w) {
		l->stats.n_unbegun++;
		return;
	}
	row = w->row;
	w->next = l->spare;
	l->spare = w;
	if (!row)
		return;
	ns = s->time_ns > w->start_ns ? s->time_ns - w->start_ns : 0;
	l->stats.n_waits++;
	row->n++;
	row->total_ns += ns;
	row->max_ns = MAX(row->max_ns, ns);
	row->min_ns = MIN(row->min_ns, ns);
	if (row->hist)
		ns_hist_add(row->hist, ns);
}

static void ev_init(void *ctx UNUSED, const struct event *e, void *state)
{
	struct lock_event *ev = state;

	*ev = (struct lock_event){ .kind = LOCK_EVENT_OTHER };
	if (e->name && !strcmp(e->name, LOCK_SUMS_EVENT))
		ev->kind = LOCK_EVENT_SUM;
	if (!e->format || !e->tp_system || strcmp(e->tp_system, "lock"))
		return;
	ev->addr = tp_field(e->format, "lock_addr");
	if (!strcmp(e->tp_name, "contention_begin")) {
		ev->kind = LOCK_EVENT_BEGIN;
		ev->flags = tp_field(e->format, "flags");
	} else if (!strcmp(e->tp_name, "contention_end")) {
		ev->kind = LOCK_EVENT_END;
	}
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct lock_model *l = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct lock_event *ev = s->event ? per_event(&l->events, s->event) : NULL;
		u64 addr;

		if (!ev || ev->kind == LOCK_EVENT_OTHER)
			continue;
		if (ev->kind == LOCK_EVENT_SUM) {
			add_sum(l, &items[i]);
			continue;
		}
		if (!ev->addr || !s->raw.len || (ev->kind == LOCK_EVENT_BEGIN && !ev->flags)) {
			l->stats.n_bad++;
			continue;
		}
		addr = tp_read_u64(ev->addr, s->raw, l->swap);
		if (ev->kind == LOCK_EVENT_BEGIN)
			begins(l, &items[i], addr,
			       (u32)tp_read_u64(ev->flags, s->raw, l->swap));
		else
			ends(l, s, addr);
	}
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct lock_model *l = sink->ctx;

	return ((const struct lock_event *)per_event(&l->events, e))->kind != LOCK_EVENT_OTHER;
}

struct lock_model *lock_new(const struct lock_opts *opts, const struct event_list *events,
			    bool swap, struct err *err)
{
	struct lock_model *l = xnew(struct lock_model);

	l->opts = *opts;
	l->swap = swap;
	per_event_init(&l->events, sizeof(struct lock_event), ev_init, l);
	if (events)
		per_event_fill(&l->events, events);
	l->sink = (struct sink){ .wants = SINK_ORDER | SINK_SYMBOLS, .ctx = l,
				 .samples = on_samples, .takes = takes };
	if (!set_filters(l, opts, err)) {
		if (opts->by == LOCK_BY_CALLER || l->callers.n)
			l->sink.wants |= SINK_CHAIN;
		return l;
	}
	lock_free(l);
	return NULL;
}

void lock_free(struct lock_model *l)
{
	if (!l)
		return;
	words_release(&l->locks);
	words_release(&l->callers);
	per_event_release(&l->events);
	hmap_release(&l->by_key);
	hmap_release(&l->waits);
	vec_free(&l->rows);
	arena_release(&l->arena);
	free(l);
}

struct sink *lock_sink(struct lock_model *l) { return &l->sink; }

const struct lock_stats *lock_get_stats(const struct lock_model *l) { return &l->stats; }

int lock_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = { "of locks", "no lock contention events",
						     "perf lock record" };
	bool begin = false, end = false;

	for vec_each(e, &events->events) {
		begin |= event_is_tracepoint(*e, "lock", "contention_begin");
		end |= event_is_tracepoint(*e, "lock", "contention_end");
	}
	return begin && end ? 0 : events_missing(events, path, &needed, err);
}
