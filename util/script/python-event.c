// SPDX-License-Identifier: GPL-2.0-or-later
// Which function of the script a sample is for, and what it is called with.
#include <stdlib.h>
#include <ctype.h>

#include "util/script/python-priv.h"

/* of a tracepoint's handler: name, context, cpu, secs, nsecs, pid, comm, callchain */
enum { COMMON_ARGS = 8 };

/* ---- what is made ---- */

static const u32 all_keys = (1U << (K_uregs + 1)) - 1;

static u32 keys_taken(const struct python *p, const struct handler *h, ssize_t arg)
{
	u32 keys = 0;

	for (enum py_key k = 0; k <= K_uregs; k++)
		keys |= (u32)handler_takes(p, h, arg, k) << k;
	return keys;
}

static bool any_key(u32 keys, enum py_key first, enum py_key last)
{
	return keys & (all_keys >> (K_uregs - last)) & ~0U << first;
}

/* Functions of perf_trace_context look at the place of any sample. */
static unsigned wants_of(const struct event_state *st)
{
	return SINK_THREAD | SINK_SYMBOLS | (st->chain ? SINK_CHAIN | SINK_INLINE : 0) |
		(any_key(st->keys, K_sample, K_sample) ? SINK_ADDR : 0) |
		(any_key(st->keys, K_brstack, K_brstacksym) ? SINK_BRANCH : 0);
}

static void learn_process(struct python *p, const struct event *e, struct event_state *st)
{
	if (e->attr.type == PERF_TYPE_TRACEPOINT)
		return;
	if (p->db) {
		st->wants = SINK_THREAD | SINK_SYMBOLS | SINK_CHAIN | SINK_INLINE | SINK_ADDR;
		return;
	}
	if (!p->process.call)
		return;
	st->keys = keys_taken(p, &p->process, 0);
	st->chain = any_key(st->keys, K_callchain, K_callchain);
	st->wants = wants_of(st);
}

static void learn_tracepoint(struct python *p, struct event_state *st)
{
	const struct handler *h = st->handler.call ? &st->handler : &p->unhandled;
	const ssize_t dict = st->handler.call ? COMMON_ARGS + (ssize_t)st->fields.n : 3;

	if (!h->call)
		return;
	handler_learn(p, &st->handler);
	if (h->n_args == dict + 1)
		st->keys = keys_taken(p, h, dict);
	st->chain = any_key(st->keys, K_callchain, K_callchain) ||
		(st->handler.call ? handler_takes(p, h, 7, K_NR) :
		 handler_takes(p, h, 2, K_common_callchain));
	for (size_t i = 0; st->handler.call && i < MIN(st->fields.n, (size_t)64); i++)
		st->unread |= (u64)!handler_takes(p, h, COMMON_ARGS + (ssize_t)i, K_NR) << i;
	st->wants = wants_of(st);
}

void event_state_init(void *ctx, const struct event *e, void *state)
{
	struct python *p = ctx;
	struct event_state *st = state;
	struct str name = STR_INIT;

	event_state_release(p, st);
	memset(st, 0, sizeof(*st));
	if (!e->format) {
		learn_process(p, e, st);
		event_templates(p, e, st);
		return;
	}
	str_addf(&name, "%s__%s", tp_system(e->format), tp_name(e->format));
	st->name = p->py->PyUnicode_DecodeUTF8(str_cstr(&name), (ssize_t)name.len, "replace");
	st->handler = handler_of(p, str_cstr(&name));
	str_release(&name);
	st->pid = tp_field(e->format, "common_pid");
	for (size_t i = 0; i < tp_n_fields(e->format); i++) {
		const struct tp_field *f = tp_field_at(e->format, i);

		if (!strncmp(f->name, "common_", 7))
			st->first_field = i + 1;
		else
			vec_push(&st->fields, p->py->PyUnicode_InternFromString(f->name));
	}
	define_names(p, e, st);
	learn_tracepoint(p, st);
	event_templates(p, e, st);
}

struct event_state *event_state_of(struct python *p, const struct event *e)
{
	return per_event(&p->events, e);
}

void event_state_release(struct python *p, struct event_state *st)
{
	const struct py *py = p->py;

	if (st->sample)
		py->Py_DecRef(st->sample);
	for (enum shape s = 0; s < SHAPE_NR; s++)
		if (st->outer[s])
			py->Py_DecRef(st->outer[s]);
	if (st->name)
		py->Py_DecRef(st->name);
	handler_drop(p, &st->handler);
	for vec_each(f, &st->fields)
		py->Py_DecRef(*f);
	vec_free(&st->fields);
}

/* ---- fields of tracepoints ---- */

/* A text ends with NUL, and has nothing but ASCII; anything else is bytes. */
static bool is_plain(const u8 *s, size_t n)
{
	if (!n || s[n - 1])
		return false;
	for (; n && *s; s++, n--)
		if (!isascii(*s) || !(isprint(*s) || isspace(*s)))
			return false;
	return true;
}

static struct py_obj *field_value(struct python *p, const struct tp_field *f, struct span raw)
{
	size_t n = 0;
	const u8 *bytes;
	u64 v;

	if (f->is_string || f->is_array) {
		bytes = tp_read_bytes(f, raw, p->opts->swap, &n);
		if (f->is_string && bytes && is_plain(bytes, n))
			return p->py->PyUnicode_DecodeUTF8((const char *)bytes,
							   (ssize_t)strlen((const char *)bytes),
							   NULL);
		return p->py->PyByteArray_FromStringAndSize((const char *)bytes, (ssize_t)n);
	}
	v = tp_read_u64(f, raw, p->opts->swap);
	/* as upstream perf has them: only those of 64 bits have a sign */
	if (f->bytes < sizeof(v))
		return number_of(p, v & ((1ULL << 8 * f->bytes) - 1));
	return f->is_signed ? p->py->PyLong_FromLongLong((s64)v) : number_of(p, v);
}

void add_fields(struct python *p, const struct event_state *st, const struct sample *s,
		struct py_obj *args, struct py_obj *dict)
{
	const struct tp_format *format = s->event->format;

	for (size_t i = 0; i < st->fields.n; i++) {
		const bool unread = args && i < 64 && st->unread >> i & 1;
		struct py_obj *v = unread ? py_again(p, p->store.none) :
			field_value(p, tp_field_at(format, st->first_field + i), s->raw);

		if (args) {
			p->py->PyTuple_SetItem(args, COMMON_ARGS + (ssize_t)i, v);
			continue;
		}
		p->py->PyDict_SetItem(dict, st->fields.v[i], v);
		p->py->Py_DecRef(v);
	}
}

static struct py_obj *pid_of(struct python *p, const struct event_state *st,
			     const struct sample *s)
{
	return number_of(p, st->pid ? (u32)tp_read_u64(st->pid, s->raw, p->opts->swap) : s->pid);
}

/* handler(name, context, cpu, s, ns, pid, comm, callchain, fields..., [sample]) */
static void call_handler(struct python *p, const struct event_state *st,
			 const struct sink_item *it, struct py_obj *chain)
{
	const struct sample *s = it->sample;
	const struct py *py = p->py;
	const ssize_t n = COMMON_ARGS + (ssize_t)st->fields.n;
	const bool whole = st->handler.n_args == n + 1;
	struct py_obj *t = py->PyTuple_New(n + whole);

	py->PyTuple_SetItem(t, 0, py_again(p, st->name));
	py->PyTuple_SetItem(t, 1, py_again(p, p->context));
	py->PyTuple_SetItem(t, 2, number_of(p, s->present & PERF_SAMPLE_CPU ? s->cpu : ~0U));
	py->PyTuple_SetItem(t, 3, number_of(p, s->time_ns / NSEC_PER_SEC));
	py->PyTuple_SetItem(t, 4, number_of(p, s->time_ns % NSEC_PER_SEC));
	py->PyTuple_SetItem(t, 5, pid_of(p, st, s));
	py->PyTuple_SetItem(t, 6, text_of(p, it->res->comm->name));
	py->PyTuple_SetItem(t, 7, py_again(p, chain));
	add_fields(p, st, s, t, NULL);
	if (whole)
		py->PyTuple_SetItem(t, n, sample_dict(p, st, it, chain));
	handler_call(p, &st->handler, t, NULL);
}

/* trace_unhandled(name, context, fields, [sample]) */
static void call_unhandled(struct python *p, const struct event_state *st,
			   const struct sink_item *it, struct py_obj *chain)
{
	const struct sample *s = it->sample;
	const struct py *py = p->py;
	const bool whole = p->unhandled.n_args == 4;
	struct py_obj *t = py->PyTuple_New(3 + whole), *d = py->PyDict_New();

	set_item(p, d, K_common_cpu, number_of(p, s->present & PERF_SAMPLE_CPU ? s->cpu : ~0U));
	set_item(p, d, K_common_s, number_of(p, s->time_ns / NSEC_PER_SEC));
	set_item(p, d, K_common_ns, number_of(p, s->time_ns % NSEC_PER_SEC));
	set_item(p, d, K_common_pid, pid_of(p, st, s));
	set_item(p, d, K_common_comm, text_of(p, it->res->comm->name));
	set_item(p, d, K_common_callchain, py_again(p, chain));
	add_fields(p, st, s, NULL, d);
	py->PyTuple_SetItem(t, 0, py_again(p, st->name));
	py->PyTuple_SetItem(t, 1, py_again(p, p->context));
	py->PyTuple_SetItem(t, 2, d);
	if (whole)
		py->PyTuple_SetItem(t, 3, sample_dict(p, st, it, chain));
	handler_call(p, &p->unhandled, t, "trace_unhandled");
}

static void call_process(struct python *p, const struct event_state *st,
			 const struct sink_item *it, struct py_obj *chain)
{
	struct py_obj *t = p->py->PyTuple_New(1);

	p->py->PyTuple_SetItem(t, 0, sample_dict(p, st, it, chain));
	handler_call(p, &p->process, t, "process_event");
}

void on_sample(struct python *p, const struct sink_item *it)
{
	const struct event_state *st = per_event(&p->events, it->sample->event);
	struct py_obj *chain;

	if (!st->wants)
		return;
	if (p->db && !st->name) {
		db_sample(p, it);
		return;
	}
	p->now = (struct py_now){ it->sample, it->res };
	chain = st->chain ? frame_list(p, it->res) : p->py->PyList_New(0);
	if (!st->name)
		call_process(p, st, it, chain);
	else if (st->handler.call)
		call_handler(p, st, it, chain);
	else
		call_unhandled(p, st, it, chain);
	p->py->Py_DecRef(chain);
	p->now = (struct py_now){ 0 };
}
