// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scheduler tracepoints to calls of the model. The fields of each event are looked up once. States
 * are taken from the recording kernel's own print format, since the bits of prev_state changed
 * several times (2.6.23 to 6.x).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/missing-events.h"
#include "util/analysis/sched.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

#define MAX_FIELDS 8
#define COMM_BYTES 64
#define MAX_EASY 65536		/* no record is longer */

struct decoder;
struct ev {			/* one event of the recording */
	const struct decoder *dec;
	const struct event *event;
	const struct tp_field *f[MAX_FIELDS];
	u32 off[MAX_FIELDS];
	u32 last[MAX_FIELDS];	/* of a text: where its NUL stands at the latest */
	bool plain[MAX_FIELDS];	/* four bytes of the host's order */
	bool complete;		/* all fields that the decoder needs are there */
	/* all numbers are plain, all texts arrays: raw data this long is read without looking;
	 * 0: not so */
	u32 easy_bytes;
};

struct ctx {
	struct sink sink;
	struct sched *sched;
	bool swap;
	struct per_event evs;	/* struct ev */
	const struct event_list *events;
	unsigned events_version;
	/* where a wake-up is reported at its beginning, its end on the other CPU is no second
	 * one */
	bool has_waking;
	bool no_wakes;
	struct hmap states;	/* prev_state value -> letter | preempted << 8, plus 1 << 16 */
	unsigned low_states[1024];	/* the same for small values; 0: not asked yet */
	struct str text;
};

struct call {
	struct ctx *c;
	const struct ev *ev;
	const struct sample *s;
	const struct sink_item *item;
	const u8 *easy;		/* the raw data, where it can be read without looking, else NULL */
};

struct decoder {
	const char *name;
	const char *fields[MAX_FIELDS];	/* NULL ends; a name with ? in front may be missing */
	void (*run)(const struct call *c);
};

static u64 any_num(const struct call *c, int i)
{
	const struct tp_field *f = c->ev->f[i];

	if (!f)
		return 0;
	if (c->ev->plain[i] && f->off + 4 <= c->s->raw.len) {
		s32 v;

		memcpy(&v, c->s->raw.ptr + f->off, 4);
		return f->is_signed ? (u64)(s64)v : (u32)v;
	}
	return tp_read_u64(f, c->s->raw, c->c->swap);
}

/* Numbers of which the low 32 bits are enough. */
static inline u32 num(const struct call *c, int i)
{
	u32 v;

	if (!c->easy)
		return (u32)any_num(c, i);
	memcpy(&v, c->easy + c->ev->off[i], 4);
	return v;
}

/* prev_state: a long. */
static inline u64 wide_num(const struct call *c, int i)
{
	u64 v;

	if (!c->easy || c->ev->f[i]->bytes != 8)
		return any_num(c, i);
	memcpy(&v, c->easy + c->ev->off[i], 8);
	return v;
}

static const char *any_text(const struct call *c, int i, char buf[COMM_BYTES])
{
	size_t n = 0;
	const char *p = c->ev->f[i] ? tp_read_str(c->ev->f[i], c->s->raw, c->c->swap, &n) : NULL;

	if (!p)
		n = 0;
	n = MIN(n, (size_t)COMM_BYTES - 1);
	if (n)
		memcpy(buf, p, n);
	buf[n] = '\0';
	return buf;
}

static inline const char *text(const struct call *c, int i, char buf[COMM_BYTES])
{
	/* The kernel's own array ends with a NUL: no copy. */
	if (c->easy && !c->easy[c->ev->last[i]])
		return (const char *)c->easy + c->ev->off[i];
	return any_text(c, i, buf);
}

/* The letter that the format prints for prev_state; asked once for each value. */
static unsigned ask_state(const struct call *c, u64 bits)
{
	const bool low = bits < ARRAY_SIZE(c->c->low_states);
	uintptr_t known = low ? c->c->low_states[bits] : (uintptr_t)hmap_get(&c->c->states, bits);
	const char *p;
	unsigned v = 'R';

	if (known)
		return known & 0xffff;
	str_reset(&c->c->text);
	tp_print(c->ev->event->format, c->s->raw, c->c->swap, c->s->cpu, c->s->time_ns,
		 &c->c->text);
	p = strstr(str_cstr(&c->c->text), "prev_state=");
	if (p) {
		p += strlen("prev_state=");
		/* "D|W": the first letter is the state; before 4.14 a number means that no table
		 * was there. */
		v = (*p >= 'A' && *p <= 'Z') || *p == 't' || *p == 'x' ? (unsigned char)*p :
			bits & 1 ? 'S' : bits & 2 ? 'D' : 'R';
		p += strcspn(p, " +");
		if (*p == '+')
			v |= 0x100;
	}
	if (low)
		c->c->low_states[bits] = v | 0x10000;
	else
		hmap_put(&c->c->states, bits, (void *)(uintptr_t)(v | 0x10000));
	return v;
}

static inline unsigned state_of(const struct call *c, u64 bits)
{
	if (bits < ARRAY_SIZE(c->c->low_states) && c->c->low_states[bits])
		return c->c->low_states[bits] & 0xffff;
	return ask_state(c, bits);
}

static void on_switch(const struct call *c)
{
	char prev[COMM_BYTES], next[COMM_BYTES];
	unsigned state = state_of(c, wide_num(c, 3));

	sched_on_switch(c->c->sched, c->s->time_ns, (int)c->s->cpu, num(c, 1), text(c, 0, prev),
			(int)num(c, 2), (char)state,
			state & 0x100, num(c, 5), text(c, 4, next), (int)num(c, 6), c->item);
}

static void wake(const struct call *c, bool is_new)
{
	char comm[COMM_BYTES];

	sched_on_wake(c->c->sched, c->s->time_ns, (int)c->s->cpu, c->s->tid, (u32)num(c, 1),
		      text(c, 0, comm), (int)num(c, 2),
		      c->ev->f[3] ? (int)num(c, 3) : -1, is_new, c->item);
}

static void on_wake(const struct call *c)
{
	wake(c, false);
}

static void on_woken(const struct call *c)
{
	if (!c->c->has_waking)
		wake(c, false);
}

static void on_wake_new(const struct call *c)
{
	wake(c, true);
}

static void on_move(const struct call *c)
{
	char comm[COMM_BYTES];

	sched_on_move(c->c->sched, c->s->time_ns, (int)c->s->cpu, c->s->tid, (u32)num(c, 1),
		      text(c, 0, comm), (int)num(c, 2),
		      (int)num(c, 3), c->item);
}

static void on_fork(const struct call *c)
{
	char comm[COMM_BYTES];

	sched_on_fork(c->c->sched, c->s->time_ns, (u32)num(c, 0), (u32)num(c, 2), text(c, 1, comm));
}

static void on_iowait(const struct call *c)
{
	sched_on_iowait(c->c->sched, c->s->time_ns, (u32)num(c, 0));
}

static const struct decoder decoders[] = {
	{ "sched_switch", { "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm",
			    "next_pid", "next_prio" }, on_switch },
	{ "sched_waking", { "comm", "pid", "prio", "?target_cpu" }, on_wake },
	{ "sched_wakeup", { "comm", "pid", "prio", "?target_cpu" }, on_woken },
	{ "sched_wakeup_new", { "comm", "pid", "prio", "?target_cpu" }, on_wake_new },
	{ "sched_migrate_task", { "comm", "pid", "orig_cpu", "dest_cpu" }, on_move },
	{ "sched_process_fork", { "parent_pid", "child_comm", "child_pid" }, on_fork },
	{ "sched_stat_iowait", { "pid" }, on_iowait },
};

/* Texts look after themselves. */
static void note_easy(struct ev *ev, int k, bool swap)
{
	const struct tp_field *f = ev->f[k];

	if (!f || swap || f->is_dynamic || !f->bytes || f->bytes > MAX_EASY || f->off > MAX_EASY ||
	    (!f->is_array && f->bytes != 4 && f->bytes != 8))
		ev->easy_bytes = 0;
	if (!ev->easy_bytes)
		return;
	ev->off[k] = f->off;
	ev->last[k] = f->off + f->bytes - 1;
	ev->easy_bytes = MAX(ev->easy_bytes, f->off + MAX(f->bytes, 4U));
}

static bool is_wake(const struct decoder *d)
{
	return d->run == on_wake || d->run == on_woken || d->run == on_wake_new;
}

static void ev_init(void *ctx, const struct event *e, void *state)
{
	struct ctx *c = ctx;
	struct ev *ev = state;

	*ev = (struct ev){ .event = e };
	if (!e->format || !e->tp_system || strcmp(e->tp_system, "sched"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++) {
		if (strcmp(decoders[i].name, e->tp_name) ||
		    (c->no_wakes && is_wake(&decoders[i])) ||
		    (c->has_waking && decoders[i].run == on_woken))
			continue;
		ev->dec = &decoders[i];
		ev->complete = true;
		if (decoders[i].run == on_move)
			sched_moves_are_reported(c->sched);
		ev->easy_bytes = 1;
		for (int k = 0; k < MAX_FIELDS && decoders[i].fields[k]; k++) {
			const char *name = decoders[i].fields[k];
			bool optional = *name == '?';

			ev->f[k] = tp_field(e->format, name + optional);
			if (!ev->f[k] && !optional)
				ev->complete = false;
			ev->plain[k] = ev->f[k] && !c->swap && ev->f[k]->bytes == 4 &&
				!ev->f[k]->is_array && !ev->f[k]->is_dynamic;
			note_easy(ev, k, c->swap);
		}
	}
}

/* Before the first samples of new events. */
static void note_events(struct ctx *c)
{
	if (c->events_version == c->events->version)
		return;
	c->events_version = c->events->version;
	for vec_each(e, &c->events->events)
		c->has_waking = c->has_waking || ((*e)->tp_name &&
						  !strcmp((*e)->tp_name, "sched_waking"));
	/* a counter for each */
	sched_recorded_cpus(c->sched, c->events->events.n ? c->events->events.v[0]->n_ids : 0);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct ctx *c = sink->ctx;

	note_events(c);
	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct ev *ev;

		if (!s->event)
			continue;
		ev = per_event(&c->evs, s->event);
		if (!ev->dec)
			continue;
		if (!ev->complete || !s->raw.len) {
			sched_bad_sample(c->sched);
			continue;
		}
		ev->dec->run(&(struct call){ c, ev, s, &items[i], ev->easy_bytes &&
					     s->raw.len >= ev->easy_bytes ? s->raw.ptr : NULL });
	}
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 file_off UNUSED)
{
	struct ctx *c = sink->ctx;
	u64 t_ns = id->present & PERF_SAMPLE_TIME ? id->time_ns : 0;
	struct wire_comm comm;
	struct wire_task task;
	struct wire_lost lost;
	const char *reason;

	if (rec->type == PERF_RECORD_COMM && !wire_decode_comm(rec, &comm, &reason))
		sched_on_task(c->sched, t_ns, comm.pid, comm.tid, -1, comm.comm);
	else if (rec->type == PERF_RECORD_FORK && !wire_decode_task(rec, &task, &reason) &&
		 task.tid != task.ptid)
		sched_on_task(c->sched, t_ns, task.pid, task.tid, task.ppid, NULL);
	else if (rec->type == PERF_RECORD_LOST && !wire_decode_lost(rec, &lost, &reason))
		sched_on_lost(c->sched, t_ns, id->present & PERF_SAMPLE_CPU ? (int)id->cpu : -1,
			      lost.lost);
}

/* sched_stat_runtime is half of all events, and says nothing that the switches do not. */
static bool takes(const struct sink *sink, const struct event *ev)
{
	struct ctx *c = sink->ctx;

	return ((const struct ev *)per_event(&c->evs, ev))->dec;
}

struct sink *sched_sink_new(struct sched *s, const struct event_list *events, bool swap)
{
	struct ctx *c = xnew(struct ctx);

	c->sched = s;
	c->swap = swap;
	c->events = events;
	c->events_version = events->version - 1;
	per_event_init(&c->evs, sizeof(struct ev), ev_init, c);
	note_events(c);
	per_event_fill(&c->evs, events);
	c->sink = (struct sink){ .wants = SINK_ORDER | SINK_SIDEBAND, .ctx = c,
				 .samples = on_samples, .record = on_record,
				.takes = takes };
	return &c->sink;
}

void sched_sink_leave_wakes(struct sink *sink)
{
	struct ctx *c = sink->ctx;

	c->no_wakes = true;
	for vec_each(e, &c->events->events)
		ev_init(c, *e, per_event(&c->evs, *e));
}

void sched_sink_free(struct sink *sink)
{
	struct ctx *c;

	if (!sink)
		return;
	c = sink->ctx;
	hmap_release(&c->states);
	str_release(&c->text);
	per_event_release(&c->evs);
	free(c);
}

int sched_need_switches(const struct event_list *l, const char *path, struct err *err)
{
	static const struct events_needed needed = { "the scheduler's", "no scheduler events",
						     "perf sched record" };
	bool others = false;

	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (e->tp_name && !strcmp(e->tp_name, "sched_switch"))
			return 0;
		others |= e->tp_system && !strcmp(e->tp_system, "sched");
	}
	if (!others || events_have_no_names(l))
		return events_missing(l, path, &needed, err);
	err_set(err, ENOENT, "'%s' has no sched_switch events, only others of the scheduler",
		path);
	err_hint(err, "record them with: perf sched record -- COMMAND");
	return -ENOENT;
}
