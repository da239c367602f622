// SPDX-License-Identifier: GPL-2.0-or-later
// Waits for futexes from the events of the system call. Who ends a wait is the last one who woke
// somebody there; who else had a lock is not in these events.
#include <errno.h>
#include <string.h>

#include "util/analysis/futex-priv.h"
#include "util/analysis/missing-events.h"
#include "util/event/tracepoint.h"
#include "util/wire/sample.h"

/* linux/futex.h */
#define FUTEX_COMMAND 127
enum { WAIT = 0, WAKE = 1, REQUEUE = 3, CMP_REQUEUE = 4, WAKE_OP = 5, LOCK_PI = 6, UNLOCK_PI = 7,
       WAIT_BITSET = 9, WAKE_BITSET = 10, LOCK_PI2 = 13 };
#define GLIBC_LOCKED 2		/* what who waits for a mutex of glibc expects */

enum event_kind { OTHER, ENTER, EXIT };
struct futex_event_state {
	enum event_kind kind;
	u32 op;				/* of calls that have no such field: op is NULL then */
	const struct tp_field *addr, *op_field, *value, *ret;
};

struct futex_lock {
	u32 n_waiting;
	/* the last one who woke somebody, since someone waits; its row, where rows are of these */
	struct futex_row *waker_row;
	struct futex_part *waker;
	u64 woken_ns;
};

struct futex_wait {
	u64 start_ns;
	struct futex_row *row;		/* NULL: rows are of who ends the wait */
	struct futex_part *part;
	struct futex_lock *lock;
	struct futexrec_key key;
	bool open;
};

/* The newer calls are operations of the old one. What futex_waitv and futex_requeue are called for
 * is not in their events. */
static const struct event_name {
	const char *name;
	enum event_kind kind;
	bool has_op;
	u32 op;
} event_names[] = {
	{ "sys_enter_futex", ENTER, true, 0 },
	{ "sys_enter_futex_wait", ENTER, false, WAIT },
	{ "sys_enter_futex_wake", ENTER, false, WAKE },
	{ "sys_exit_futex", EXIT, false, 0 },
	{ "sys_exit_futex_wait", EXIT, false, 0 },
};

static const struct event_name *name_of(const struct event *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(event_names); i++)
		if (event_is_tracepoint(e, "syscalls", event_names[i].name))
			return &event_names[i];
	return NULL;
}

static void ev_init(void *ctx UNUSED, const struct event *e, void *state)
{
	const struct event_name *n = e->format ? name_of(e) : NULL;
	struct futex_event_state *ev = state;

	*ev = (struct futex_event_state){ .kind = OTHER };
	if (!n)
		return;
	*ev = (struct futex_event_state){
		.kind = n->kind, .op = n->op, .addr = tp_field(e->format, "uaddr"),
		.op_field = n->has_op ? tp_field(e->format, "op") : NULL,
		.value = tp_field(e->format, "val"), .ret = tp_field(e->format, "ret"),
	};
	/* without what tells what the call does it is none that can be understood */
	if (n->kind == ENTER && (n->has_op ? !ev->op_field || !ev->value :
				 n->op == WAIT && !ev->value))
		ev->addr = NULL;
}

/* What lies at an address that no sample was taken of. */
static struct location find_data(const struct sink_item *item, u64 va)
{
	const u64 t = item->sample->time_ns;
	struct location l = { .va = va };
	struct space *space = item->res->thread ? thread_space_at(item->res->thread, t) : NULL;

	l.map = space ? space_find(space, va, t) : NULL;
	if (!l.map)
		return l;
	l.dso = l.map->dso;
	l.rva = mapping_rva(l.map, va);
	l.sym = l.dso ? dso_find(l.dso, l.rva) : NULL;
	return l;
}

static struct futex_lock *lock_of(struct futex_model *m, u32 pid, u64 addr, bool make)
{
	const u64 key = hash_u64(addr) ^ pid;
	struct futex_lock *l = hmap_get(&m->waited_for, key);

	if (!l && make) {
		l = arena_alloc(&m->arena, sizeof(*l));
		hmap_put(&m->waited_for, key, l);
	}
	return l;
}

static void waits(struct futex_model *m, const struct sink_item *item, u64 addr, u32 op,
		  u32 value)
{
	const struct sample *s = item->sample;
	const u64 key = s->tid;
	struct futex_wait *w = hmap_get(&m->waits, key);
	const struct location data = find_data(item, addr);

	if (w && w->open)
		m->stats.n_unended++;
	if (!w) {
		w = arena_alloc(&m->arena, sizeof(*w));
		hmap_put(&m->waits, key, w);
	}
	*w = (struct futex_wait){
		.start_ns = s->time_ns, .open = true, .lock = lock_of(m, s->pid, addr, true),
		.key = { .addr = addr, .tgid = s->pid, .tid = s->tid,
			 .kind = op == LOCK_PI || op == LOCK_PI2 ? FUTEXREC_PI :
				 op == WAIT && value == GLIBC_LOCKED ? FUTEXREC_MUTEX :
				 FUTEXREC_OTHER },
	};
	w->lock->n_waiting++;
	if (m->opts.by == FUTEXREC_BY_HOLDER)
		return;
	w->row = futex_row(m, &w->key, &data);
	w->part = futex_part(m, w->row, FUTEXREC_WAITER, s->tid, item->res);
	futex_note(w->row, item->res, w->key.kind);
}

static void wakes(struct futex_model *m, const struct sink_item *item, u64 addr)
{
	const struct sample *s = item->sample;
	const struct futexrec_key key = { .addr = addr, .tgid = s->pid, .tid = s->tid };
	const struct location data = find_data(item, addr);
	struct futex_lock *l = lock_of(m, s->pid, addr, false);

	if (!l || !l->n_waiting || m->opts.by == FUTEXREC_BY_WAITER)
		return;
	l->waker_row = futex_row(m, &key, &data);
	l->waker = futex_part(m, l->waker_row, FUTEXREC_HOLDER, s->tid, item->res);
	l->woken_ns = s->time_ns;
	if (m->opts.by == FUTEXREC_BY_HOLDER)
		futex_note(l->waker_row, item->res, FUTEXREC_OTHER);
}

static void count_part(struct futex_part *p, u64 ns)
{
	p->n++;
	p->total_ns += ns;
	p->max_ns = MAX(p->max_ns, ns);
}

static void count(struct futex_model *m, struct futex_row *row, u64 ns, bool timeout)
{
	m->stats.n_waits++;
	row->n++;
	row->total_ns += ns;
	row->max_ns = MAX(row->max_ns, ns);
	row->min_ns = MIN(row->min_ns, ns);
	row->n_timeouts += timeout;
	ns_hist_add(&row->hist, ns);
}

/* Nobody has woken it, or that is not in the recording. */
static struct futex_part *unknown_holder(struct futex_model *m, const struct futex_wait *w,
					 struct futex_row **row)
{
	static const struct resolved nobody;
	struct futexrec_key key = w->key;

	key.tid = 0;
	*row = futex_row(m, &key, NULL);
	return futex_part(m, *row, FUTEXREC_HOLDER, 0, &nobody);
}

static void ends(struct futex_model *m, const struct sample *s, s64 ret)
{
	struct futex_wait *w = hmap_get(&m->waits, s->tid);
	struct futex_part *holder;
	struct futex_row *row;
	u64 ns;

	if (!w || !w->open)
		return;
	w->open = false;
	w->lock->n_waiting--;
	if (ret == -EAGAIN)
		return;
	ns = s->time_ns > w->start_ns ? s->time_ns - w->start_ns : 0;
	if (w->row) {
		count_part(w->part, ns);
		count(m, w->row, ns, ret < 0);
	}
	if (m->opts.by == FUTEXREC_BY_WAITER)
		return;
	row = w->lock->waker_row;
	holder = !ret && w->lock->waker && w->lock->woken_ns >= w->start_ns ? w->lock->waker :
		unknown_holder(m, w, &row);
	count_part(holder, ns);
	if (m->opts.by == FUTEXREC_BY_HOLDER)
		count(m, row, ns, ret < 0);
}

static void enters(struct futex_model *m, const struct futex_event_state *ev,
		   const struct sink_item *item)
{
	const struct span raw = item->sample->raw;
	const u64 addr = tp_read_u64(ev->addr, raw, m->swap);
	const u32 op = ev->op_field ? (u32)tp_read_u64(ev->op_field, raw, m->swap) & FUTEX_COMMAND :
		ev->op;

	switch (op) {
	case WAIT: case WAIT_BITSET: case LOCK_PI: case LOCK_PI2:
		waits(m, item, addr, op, (u32)tp_read_u64(ev->value, raw, m->swap));
		break;
	case WAKE: case WAKE_BITSET: case WAKE_OP: case UNLOCK_PI: case REQUEUE: case CMP_REQUEUE:
		wakes(m, item, addr);
		break;
	default:
		break;
	}
}

bool futex_event(struct futex_model *m, const struct sink_item *item)
{
	const struct futex_event_state *ev = per_event(&m->events, item->sample->event);

	if (ev->kind == OTHER)
		return false;
	if (!item->sample->raw.len || (ev->kind == ENTER ? !ev->addr : !ev->ret))
		m->stats.n_bad++;
	else if (ev->kind == ENTER)
		enters(m, ev, item);
	else
		ends(m, item->sample, (s64)tp_read_u64(ev->ret, item->sample->raw, m->swap));
	return true;
}

void futex_events_init(struct futex_model *m)
{
	per_event_init(&m->events, sizeof(struct futex_event_state), ev_init, m);
}

void futex_events_end(struct futex_model *m)
{
	for hmap_each(i, &m->waits)
		m->stats.n_unended += ((const struct futex_wait *)m->waits.vals[i])->open;
}

void futex_events_release(struct futex_model *m)
{
	per_event_release(&m->events);
	hmap_release(&m->waits);
	hmap_release(&m->waited_for);
}

static bool has_event(const struct event_list *events, const char *name)
{
	for vec_each(p, &events->events)
		if (event_is_tracepoint(*p, "syscalls", name))
			return true;
	return false;
}

int futex_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = { "of futex(2)", "no events of futex(2)",
						     "perf lock futex record" };

	return has_event(events, "sys_enter_futex") && has_event(events, "sys_exit_futex") ? 0 :
		events_missing(events, path, &needed, err);
}
