// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/futex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/futex-priv.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/wire/sample.h"

/* --- sums */

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

static const char type_names[] =
	"mutex, pi-mutex, condition, rwlock, barrier, semaphore, join, once, futex";

static int set_filters(struct futex_model *m, const struct futex_opts *o, struct err *err)
{
	words_split(o->types, &m->types);
	words_split(o->locks, &m->locks);
	if ((o->types && !m->types.n) || (o->locks && !m->locks.n))
		return err_set(err, EINVAL, "the list of %s is empty", o->types && !m->types.n ?
			       "types of locks" : "locks");
	for vec_each(name, &m->types)
		if (!futex_is_type(*name)) {
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
