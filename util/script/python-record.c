// SPDX-License-Identifier: GPL-2.0-or-later
// Records that are no samples: throttling, context switches, counts of perf stat, errors of traces.
#include <stdlib.h>

#include "util/script/python-priv.h"
#include "util/wire/synthrec.h"
#include "util/wire/user.h"

/* Of n numbers; negative ones are < 0 as they are. */
static struct py_obj *numbers(const struct python *p, const s64 *v, ssize_t n)
{
	struct py_obj *t = p->py->PyTuple_New(n);

	for (ssize_t i = 0; i < n; i++)
		p->py->PyTuple_SetItem(t, i, p->py->PyLong_FromLongLong(v[i]));
	return t;
}

/* throttle(time, id, stream_id, cpu, pid, tid) */
static void on_throttle(struct python *p, const struct perf_event_header *rec,
			const struct sample_id *id)
{
	const bool begins = rec->type == PERF_RECORD_THROTTLE;
	const struct handler *h = begins ? &p->throttle : &p->unthrottle;
	u64 body[3] = { 0 };		/* time, id, stream_id */
	s64 v[6];

	if (!h->call || rec->size < sizeof(*rec) + sizeof(body))
		return;
	memcpy(body, rec + 1, sizeof(body));
	v[0] = (s64)body[0];
	v[1] = (s64)body[1];
	v[2] = (s64)body[2];
	v[3] = id->present & PERF_SAMPLE_CPU ? (s64)id->cpu : -1;
	v[4] = id->present & PERF_SAMPLE_TID ? (s64)id->pid : -1;
	v[5] = id->present & PERF_SAMPLE_TID ? (s64)id->tid : -1;
	handler_call(p, h, numbers(p, v, 6), begins ? "throttle" : "unthrottle");
}

static struct py_obj *flag(const struct python *p, bool v)
{
	return p->py->PyBool_FromLong(v);
}

/* context_switch(ts, cpu, pid, tid, np_pid, np_tid, machine_pid, out, out_preempt, 0, vcpu) */
static void on_switch(struct python *p, const struct perf_event_header *rec,
		      const struct sample_id *id)
{
	struct wire_switch sw;
	const char *reason;
	struct py_obj *t;

	if ((!p->context_switch.call && !p->db) || wire_decode_switch(rec, &sw, &reason) < 0)
		return;
	if (p->db) {
		db_switch(p, &sw, id);
		return;
	}
	t = numbers(p, (s64[]){ (s64)id->time_ns, id->present & PERF_SAMPLE_CPU ? (s32)id->cpu : -1,
				(s32)id->pid, (s32)id->tid,
				sw.cpu_wide ? (s32)sw.next_prev_pid : -1,
				sw.cpu_wide ? (s32)sw.next_prev_tid : -1, -1, 0, 0, 0, -1 }, 11);
	p->py->PyTuple_SetItem(t, 7, flag(p, sw.out));
	p->py->PyTuple_SetItem(t, 8, flag(p, sw.out && sw.preempt));
	handler_call(p, &p->context_switch, t, "context_switch");
}

/* auxtrace_error(type, code, cpu, pid, tid, ip, time, message, 0, machine_pid, vcpu) */
static void on_trace_error(struct python *p, const struct perf_event_header *rec)
{
	const struct py *py = p->py;
	struct wire_trace_error e;
	const char *reason;
	struct py_obj *t;

	if (!p->auxtrace_error.call || wire_decode_trace_error(rec, &e, &reason) < 0)
		return;
	t = numbers(p, (s64[]){ e.type, e.code, (s32)e.cpu, (s32)e.pid, (s32)e.tid, 0,
				(s64)e.time_ns, 0, 0, 0, 0 }, 11);
	py->PyTuple_SetItem(t, 5, number_of(p, e.ip));
	py->PyTuple_SetItem(t, 7, py->PyUnicode_DecodeUTF8(e.text, (ssize_t)strlen(e.text),
							   "replace"));
	handler_call(p, &p->auxtrace_error, t, "auxtrace_error");
}

static void on_task(struct python *p, const struct perf_event_header *rec, u64 t_ns)
{
	struct wire_comm c;
	struct wire_task f;
	const char *reason;

	if (!p->db)
		return;
	if (rec->type == PERF_RECORD_COMM && wire_decode_comm(rec, &c, &reason) == 0)
		db_comm(p, &c, t_ns);
	else if (rec->type == PERF_RECORD_FORK && wire_decode_task(rec, &f, &reason) == 0)
		db_fork(p, &f, t_ns);
}

/* ---- counts of perf stat ---- */

static void on_threads(struct python *p, const struct perf_event_header *h)
{
	size_t n = 0, max = h->size / 24 + 1;
	struct wire_thread *v = xcalloc(max, sizeof(*v));
	const char *reason;
	int ret = wire_decode_thread_map(h, v, max, &n, &reason);

	vec_clear(&p->tids);
	for (size_t i = 0; !ret && i < n && i < max; i++)
		vec_push(&p->tids, (int)v[i].tid);
	free(v);
}

static void on_count(struct python *p, const struct perf_event_header *h)
{
	const struct event *e;
	struct wire_stat s;
	const char *reason;

	if (wire_decode_stat(h, &s, &reason) < 0 || s.thread >= p->tids.n)
		return;
	e = event_list_by_id(p->list, s.id);
	if (e)
		vec_push(&p->counts, ((struct counted_value){
			(u32)e->index, s.cpu, (u32)p->tids.v[s.thread], s.value, s.enabled_ns,
			s.running_ns }));
}

static void stat_name(struct str *out, const struct event *e)
{
	str_add(out, "stat__");
	for (const char *c = e->name; *c; c++)
		str_addch(out, *c == ':' ? '_' : *c);
}

/* stat__EVENT(cpu, thread, time, val, ena, run) of each, stat__interval(time) */
static void on_round(struct python *p, const struct perf_event_header *h)
{
	struct str name = STR_INIT;
	const char *reason;
	struct handler one;
	u64 type, time_ns;

	if (wire_decode_stat_round(h, &type, &time_ns, &reason) < 0)
		return;
	for (size_t i = 0; i < p->counts.n; i++) {
		const struct counted_value *c = &p->counts.v[i];

		str_reset(&name);
		stat_name(&name, p->list->events.v[c->event]);
		one = handler_of(p, str_cstr(&name));
		if (!one.call)
			continue;
		handler_call(p, &one, numbers(p, (s64[]){ (s32)c->cpu, (s32)c->thread, (s64)time_ns,
							  (s64)c->value, (s64)c->enabled_ns,
							  (s64)c->running_ns }, 6),
			     str_cstr(&name));
		p->py->Py_DecRef(one.call);
	}
	vec_clear(&p->counts);
	one = handler_of(p, "stat__interval");
	if (one.call) {
		handler_call(p, &one, numbers(p, (s64[]){ (s64)time_ns }, 1), "stat__interval");
		p->py->Py_DecRef(one.call);
	}
	str_release(&name);
}

void on_python_record(struct sink *s, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 off UNUSED)
{
	struct python *p = (struct python *)s;

	if (p->failed)
		return;
	switch (rec->type) {
	case PERF_RECORD_THROTTLE: case PERF_RECORD_UNTHROTTLE: on_throttle(p, rec, id); break;
	case PERF_RECORD_SWITCH: case PERF_RECORD_SWITCH_CPU_WIDE: on_switch(p, rec, id); break;
	case PERF_RECORD_COMM: case PERF_RECORD_FORK: on_task(p, rec, id->time_ns); break;
	case WIRE_AUXTRACE_ERROR: on_trace_error(p, rec); break;
	case WIRE_THREAD_MAP: on_threads(p, rec); break;
	case WIRE_STAT: on_count(p, rec); break;
	case WIRE_STAT_ROUND: on_round(p, rec); break;
	}
}
