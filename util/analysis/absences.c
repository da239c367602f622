// SPDX-License-Identifier: GPL-2.0-or-later
/* A task that left is in "away" until it comes back. */
#include "util/analysis/absences.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/sched-select.h"
#include "util/event/tracepoint.h"

/* of prev_state, in all kernels: uninterruptible; stopped or traced; it will never run again */
enum { STATE_DISK = 2, STATE_STOPPED = 12, STATE_DEAD = 0x30 };

enum meaning { NOTHING, LEAVES, SWITCHES, WAKES, SAYS_ITSELF };

struct ev {
	enum meaning what;
	const struct tp_field *state, *next, *woken;
};

struct absences {
	struct sink sink;
	struct absences_opts o;
	struct absences_observer ob;
	struct per_event evs;		/* struct ev */
	enum meaning from;		/* which events say that a task leaves */
	int_vec pids, tids;
	struct hmap away;		/* tid -> struct absence, owned */
	u64 last_ns, n_left, n_back;
};

/* ---- what the recording has ---- */

static bool is_sched(const struct event *e, const char *name)
{
	return event_is_tracepoint(e, "sched", name);
}

static bool is_said(const struct event *e)
{
	return !strncmp(e->name, "offcpu-time", strlen("offcpu-time"));
}

static bool is_cs(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE &&
		e->attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES;
}

/* The best of several: NULL: none. */
static const struct event *best_event(const struct event_list *l, enum meaning *what)
{
	const struct event *best = NULL;

	*what = NOTHING;
	for vec_each(e, &l->events) {
		const enum meaning m = is_said(*e) ? SAYS_ITSELF :
			is_sched(*e, "sched_switch") ? SWITCHES : is_cs(*e) ? LEAVES : NOTHING;

		if (m > *what) {
			*what = m;
			best = *e;
		}
	}
	return best;
}

bool absences_are_known(const struct event_list *l)
{
	enum meaning what;

	return best_event(l, &what);
}

bool absences_have_chains(const struct event_list *l)
{
	enum meaning what;
	const struct event *e = best_event(l, &what);

	return e && e->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

static bool have_switch_records(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if ((*e)->attr.context_switch)
			return true;
	return false;
}

static int check_list(const char *text, struct err *err)
{
	int_vec v = { 0 };
	const int rc = text ? parse_int_list(text, &v, err) : 0;

	vec_free(&v);
	return rc;
}

int absences_check(const struct absences_opts *o, const char *path, struct err *err)
{
	enum meaning what;
	const struct event *e = best_event(o->events, &what);
	int rc = check_list(o->pids, err);

	rc = rc ? rc : check_list(o->tids, err);
	if (rc)
		return rc;
	if (!e)
		err_set(err, ENOENT, "'%s' does not say when tasks were off the CPU", path);
	else if (!o->no_chains && !(e->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		err_set(err, ENOENT, "the %s events of '%s' have no call chains", e->name, path);
	else if (what == LEAVES && (e->attr.freq || e->attr.sample_period != 1))
		err_set(err, ENOENT, "'%s' has not all context switches, but samples of them",
			path);
	else if (what == LEAVES && !have_switch_records(o->events))
		err_set(err, ENOENT, "'%s' says when tasks left the CPU, but not when they came "
			"back", path);
	else
		return 0;
	err_hint(err, "%s", o->hint);
	return -ENOENT;
}

static void ev_init(void *ctx, const struct event *e, void *state)
{
	const struct absences *o = ctx;
	struct ev *ev = state;

	*ev = (struct ev){ .what = NOTHING };
	if (o->from == SAYS_ITSELF ? is_said(e) : o->from == LEAVES && is_cs(e)) {
		ev->what = o->from;
	} else if (o->from == SWITCHES && is_sched(e, "sched_switch") && e->format) {
		ev->what = SWITCHES;
		ev->state = tp_field(e->format, "prev_state");
		ev->next = tp_field(e->format, "next_pid");
	} else if (o->from != SAYS_ITSELF && e->format &&
		   (is_sched(e, "sched_wakeup") || is_sched(e, "sched_waking"))) {
		ev->what = WAKES;
		ev->woken = tp_field(e->format, "pid");
	}
}

static bool takes(const struct sink *s, const struct event *e)
{
	struct absences *o = s->ctx;

	return ((const struct ev *)per_event(&o->evs, e))->what != NOTHING;
}

/* ---- who goes and comes ---- */

static bool is_wanted(const struct absences *o, const struct sink_item *it)
{
	const struct thread *t = it->res->thread;
	const struct comm *comm = it->res->comm;
	const u32 tid = it->sample->tid;

	return tid && tid != UINT32_MAX &&
		(!o->tids.n || int_list_has(&o->tids, (int)tid)) &&
		(!o->pids.n || int_list_has(&o->pids, (int)(t ? t->pid : it->sample->pid))) &&
		(!o->o.comms || sched_name_listed(o->o.comms, comm ? comm->name : "", false));
}

static struct absence *absence_of(struct absences *o, u32 tid, bool make)
{
	struct absence *a = hmap_get(&o->away, tid);

	if (!a && make) {
		a = xnew(struct absence);
		hmap_put(&o->away, tid, a);
	}
	return make || (a && a->away) ? a : NULL;
}

static void leaves(struct absences *o, const struct sink_item *it, enum absence_state state)
{
	struct absence *a;

	if (!is_wanted(o, it))
		return;
	a = absence_of(o, it->sample->tid, true);
	o->n_left++;
	a->away = true;
	a->left_ns = it->sample->time_ns;
	a->ready_ns = state == ABSENCE_PREEMPTED ? a->left_ns : 0;
	a->state = state;
	o->ob.left(o->ob.ctx, it, a);
}

static void is_over(struct absences *o, struct absence *a, u64 now_ns)
{
	a->away = false;
	a->back_ns = now_ns;
	if (now_ns > a->left_ns)
		o->ob.over(o->ob.ctx, a);
}

static void comes(struct absences *o, u32 tid, u64 now_ns)
{
	struct absence *a = absence_of(o, tid, false);

	if (!a)
		return;
	o->n_back++;
	is_over(o, a, now_ns);
}

static void wakes(struct absences *o, const struct sink_item *it, u32 tid)
{
	struct absence *a = absence_of(o, tid, false);

	if (!a || a->ready_ns || it->sample->time_ns <= a->left_ns)
		return;
	a->ready_ns = it->sample->time_ns;
	if (o->ob.woken)
		o->ob.woken(o->ob.ctx, it, a);
}

static void dies(struct absences *o, u32 tid)
{
	struct absence *a = absence_of(o, tid, false);

	if (a)
		a->away = false;
}

/* ---- events ---- */

/* Bits from 0x100 on only say how: preempted, or not to be counted as load. */
static enum absence_state state_of(u64 state)
{
	if (!(state & 0xff))
		return ABSENCE_PREEMPTED;
	if (state & STATE_STOPPED)
		return ABSENCE_STOPPED;
	return state & STATE_DISK ? ABSENCE_DISK : ABSENCE_SLEEP;
}

static void switched(struct absences *o, const struct ev *ev, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const u64 state = ev->state ? tp_read_u64(ev->state, s->raw, o->o.swap) : 0;

	if (ev->next)
		comes(o, (u32)tp_read_u64(ev->next, s->raw, o->o.swap), s->time_ns);
	if (state & STATE_DEAD)
		dies(o, s->tid);
	else
		leaves(o, it, state_of(state));
}

static void said(struct absences *o, const struct sink_item *it)
{
	if (!is_wanted(o, it))
		return;
	o->n_left++;
	o->n_back++;
	o->ob.said(o->ob.ctx, it);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct absences *o = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct ev *ev = per_event(&o->evs, s->event);

		if (!(s->present & PERF_SAMPLE_TIME))
			continue;
		o->last_ns = MAX(o->last_ns, s->time_ns);
		if (ev->what == SWITCHES)
			switched(o, ev, &items[i]);
		else if (ev->what == LEAVES)
			leaves(o, &items[i], ABSENCE_UNKNOWN);
		else if (ev->what == SAYS_ITSELF)
			said(o, &items[i]);
		else if (ev->what == WAKES && ev->woken)
			wakes(o, &items[i],
			      (u32)tp_read_u64(ev->woken, s->raw, o->o.swap));
	}
}

static void preempted(struct absence *a)
{
	a->ready_ns = a->left_ns;
	a->state = ABSENCE_PREEMPTED;
}

static void on_switch_record(struct absences *o, u16 misc, const struct sample_id *id)
{
	struct absence *a = absence_of(o, id->tid, false);

	if (!(misc & PERF_RECORD_MISC_SWITCH_OUT))
		comes(o, id->tid, id->time_ns);
	else if (a && o->from == LEAVES && misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
		preempted(a);
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 file_off UNUSED)
{
	struct absences *o = sink->ctx;
	struct wire_task task;
	const char *reason;

	if (!(id->present & PERF_SAMPLE_TIME))
		return;
	o->last_ns = MAX(o->last_ns, id->time_ns);
	if ((rec->type == PERF_RECORD_SWITCH || rec->type == PERF_RECORD_SWITCH_CPU_WIDE) &&
	    id->present & PERF_SAMPLE_TID)
		on_switch_record(o, rec->misc, id);
	else if (rec->type == PERF_RECORD_EXIT && !wire_decode_task(rec, &task, &reason))
		dies(o, task.tid);
}

/* ---- its life ---- */

struct absences *absences_new(const struct absences_opts *opts, const struct absences_observer *ob,
			      unsigned wants)
{
	struct absences *o = xnew(struct absences);
	struct err err = ERR_INIT;		/* absences_check() was there before */

	o->o = *opts;
	o->ob = *ob;
	best_event(opts->events, &o->from);
	if (opts->pids)
		parse_int_list(opts->pids, &o->pids, &err);
	if (opts->tids)
		parse_int_list(opts->tids, &o->tids, &err);
	err_release(&err);
	per_event_init(&o->evs, sizeof(struct ev), ev_init, o);
	per_event_fill(&o->evs, opts->events);
	o->sink = (struct sink){ .wants = wants | SINK_ORDER | SINK_SIDEBAND | SINK_THREAD,
				 .ctx = o, .samples = on_samples, .record = on_record,
				 .takes = takes };
	return o;
}

void absences_free(struct absences *o)
{
	if (!o)
		return;
	for hmap_each(i, &o->away)
		free(o->away.vals[i]);
	hmap_release(&o->away);
	per_event_release(&o->evs);
	vec_free(&o->pids);
	vec_free(&o->tids);
	free(o);
}

struct sink *absences_sink(struct absences *o) { return &o->sink; }

void absences_end(struct absences *o)
{
	for hmap_each(i, &o->away) {
		struct absence *a = o->away.vals[i];

		if (a->away && o->n_back)
			is_over(o, a, o->last_ns);
	}
}

void absences_cut(struct absences *o)
{
	for hmap_each(i, &o->away) {
		struct absence *a = o->away.vals[i];

		if (!a->away || !o->n_back)
			continue;
		is_over(o, a, o->last_ns);
		a->away = true;
		a->left_ns = o->last_ns;
		a->ready_ns = a->ready_ns ? o->last_ns : 0;
	}
}

void absences_seen(const struct absences *o, u64 *n_left, u64 *n_back)
{
	*n_left = o->n_left;
	*n_back = o->n_back;
}
